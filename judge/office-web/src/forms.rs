//! Bodies of requests: forms, and forms with files. Both are read as a whole, because they are small.

use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, StatusCode, header};
use judge_office::MAX_UPLOAD_BYTES;
use judge_office::intake::MAX_FILES;

/// The time within which a body must arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(judge_office::UPLOAD_SECONDS);
/// The bytes for the parts of a form that are not files.
const REST_BYTES: u64 = 128 << 10;

/// The most bytes of a form from an anonymous client. Each connection can send one at a time, so they are small.
pub(crate) const OF_ANYBODY: u64 = 16 << 10;
/// The most bytes of a form of a client with a session.
pub(crate) const OF_KNOWN: u64 = REST_BYTES;
/// The most bytes of a form with the files of an upload. A handler that accepts such a form counts it as
/// [unfinished](crate::unfinished).
pub(crate) const WITH_FILES: u64 = MAX_UPLOAD_BYTES + REST_BYTES;
/// The most bytes of an upload in JSON. Base64 encodes three bytes as four.
pub(crate) const WITH_BASE64: u64 = MAX_UPLOAD_BYTES / 3 * 4 + 4 + REST_BYTES;
/// The most parts of a form.
const MAX_PARTS: usize = MAX_FILES + 20;

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// The name of the file, if the field is one.
    pub(crate) file: Option<String>,
    pub(crate) bytes: Vec<u8>,
}

/// A form that was sent.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Form(pub(crate) Vec<Field>);

impl Form {
    /// The text of the first field with this name that is not a file.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let field = self.0.iter().find(|field| field.name == name && field.file.is_none())?;
        Some(String::from_utf8_lossy(&field.bytes).trim().to_owned())
    }

    /// The chosen files, by name.
    pub(crate) fn files(self) -> Vec<(String, Vec<u8>)> {
        let files = self.0.into_iter().filter_map(|field| Some((field.file?, field.bytes)));
        files.filter(|(name, bytes)| !(name.is_empty() && bytes.is_empty())).collect()
    }
}

/// Reads the form of a request, of at most `most` bytes.
///
/// # Errors
/// The status and a reason, as a fragment.
pub(crate) async fn read(headers: &HeaderMap, body: Body, most: u64) -> Result<Form, (StatusCode, String)> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let refuse = |code: StatusCode, reason: &str| Err((code, reason.to_owned()));
    let bytes = whole(headers, body, most).await?;
    match parse(kind, &bytes) {
        None => refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, "expected a form"),
        Some(None) => refuse(StatusCode::BAD_REQUEST, "the form is incomplete"),
        Some(Some(form)) => Ok(form),
    }
}

/// Parses the form in a body of this type. `None` if the type is not a form; `Some(None)` if the form is incomplete.
pub(crate) fn parse(kind: &str, bytes: &[u8]) -> Option<Option<Form>> {
    match &*kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase() {
        "application/x-www-form-urlencoded" => {
            let fields = form_urlencoded::parse(bytes).take(MAX_PARTS);
            let field = |(name, value): (std::borrow::Cow<'_, str>, std::borrow::Cow<'_, str>)| Field {
                name: name.into_owned(),
                file: None,
                bytes: value.into_owned().into_bytes(),
            };
            Some(Some(Form(fields.map(field).collect())))
        }
        "multipart/form-data" => Some(boundary(kind).and_then(|boundary| multipart(bytes, boundary))),
        _ => None,
    }
}

/// Reads a body of at most `most` bytes.
///
/// # Errors
/// The status and a reason, as a fragment.
pub(crate) async fn whole(headers: &HeaderMap, body: Body, most: u64) -> Result<Bytes, (StatusCode, String)> {
    let limit = usize::try_from(most).unwrap_or(usize::MAX);
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    let too_large = || (StatusCode::PAYLOAD_TOO_LARGE, format!("more than {} KiB were sent", most / 1024));
    if announced.is_some_and(|announced| announced > limit) {
        return Err(too_large());
    }
    match tokio::time::timeout(BODY_TIMEOUT, to_bytes(body, limit)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err(too_large()),
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "the upload took too long".to_owned())),
    }
}

/// The boundary that the type of a body names.
fn boundary(kind: &str) -> Option<&str> {
    let at = kind.to_ascii_lowercase().find("boundary=")?;
    let value = kind.get(at + "boundary=".len()..)?.split(';').next()?.trim().trim_matches('"');
    (1..=70).contains(&value.len()).then_some(value)
}

/// Parses a body according to RFC 7578. `None` if it is incomplete.
fn multipart(bytes: &[u8], boundary: &str) -> Option<Form> {
    let (first, between) = (format!("--{boundary}"), format!("\r\n--{boundary}"));
    let mut rest = bytes.strip_prefix(first.as_bytes())?;
    let mut fields = Vec::new();
    loop {
        if rest.starts_with(b"--") {
            return Some(Form(fields));
        }
        if fields.len() == MAX_PARTS {
            return None;
        }
        rest = rest.strip_prefix(b"\r\n")?;
        let head = find(rest, b"\r\n\r\n")?;
        let content = &rest[head + 4..];
        let end = find(content, between.as_bytes())?;
        let head = std::str::from_utf8(&rest[..head]).ok()?;
        let disposition =
            head.split("\r\n").find(|line| line.to_ascii_lowercase().starts_with("content-disposition:"))?;
        let name = parameter(disposition, "name")?;
        fields.push(Field { name, file: parameter(disposition, "filename"), bytes: content[..end].to_vec() });
        rest = &content[end + between.len()..];
    }
}

/// The value of a quoted parameter. Browsers write `%22` for a quotation mark.
fn parameter(line: &str, name: &str) -> Option<String> {
    let start = format!("; {name}=\"");
    let value = line.split_once(&start)?.1.split_once('"')?.0;
    Some(value.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n"))
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "--x\r\nContent-Disposition: form-data; name=\"language\"\r\n\r\nc\r\n--x\r\nContent-Disposition: \
                         form-data; name=\"code\"; filename=\"a \u{e4}.c\"\r\nContent-Type: text/plain\r\n\r\nint\r\n\r\n--y\r\n--x--\r\n";

    #[test]
    fn no_part_of_a_form_with_a_file_is_read_as_a_form() {
        let form = multipart(WHOLE.as_bytes(), "x").unwrap();
        assert_eq!(form.text("language").unwrap(), "c");
        assert_eq!(form.text("code"), None);
        assert_eq!(form.files(), [("a \u{e4}.c".to_owned(), b"int\r\n\r\n--y".to_vec())]);
        let end = WHOLE.len() - "--\r\n".len();
        for cut in 0..end {
            assert_eq!(multipart(&WHOLE.as_bytes()[..cut], "x"), None, "cut at {cut}");
        }
    }

    #[test]
    fn a_boundary_is_found_quoted_or_not() {
        assert_eq!(boundary("multipart/form-data; boundary=abc"), Some("abc"));
        assert_eq!(boundary("multipart/form-data; Boundary=\"abc\"; charset=utf-8"), Some("abc"));
        assert_eq!(boundary("multipart/form-data"), None);
        assert_eq!(boundary("multipart/form-data; boundary="), None);
    }

    #[test]
    fn the_type_of_a_form_may_have_capital_letters() {
        for kind in ["multipart/form-data; boundary=x", "Multipart/Form-Data; Boundary=x"] {
            assert_eq!(parse(kind, WHOLE.as_bytes()).unwrap().unwrap().text("language").unwrap(), "c", "{kind}");
        }
        assert_eq!(parse("Application/X-WWW-Form-URLencoded", b"a=1").unwrap().unwrap().text("a").unwrap(), "1");
        assert_eq!(parse("text/plain", b"a=1"), None);
    }

    #[test]
    fn too_many_parts_are_refused() {
        let part = "\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x";
        assert!(multipart(format!("--x{}--", part.repeat(MAX_PARTS)).as_bytes(), "x").is_some());
        assert!(multipart(format!("--x{}--", part.repeat(MAX_PARTS + 1)).as_bytes(), "x").is_none());
    }
}
