//! Tests of the limits of one address behind a proxy.

use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;

use super::*;
use crate::router;
use crate::tests::{ADDRESS, ask, request, site, site_behind};

const PROXY: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
const FORWARDED: header::HeaderName = header::HeaderName::from_static("x-forwarded-for");

#[tokio::test]
async fn one_address_behind_a_proxy_does_not_take_the_place_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let (site, ..) = site_behind(folder.path(), |_| Ok(1 << 30), vec![PROXY]);
    let ask = async |path: &str, client: &str| {
        let mut request = request("GET", path, (FORWARDED, client), Body::empty());
        request.extensions_mut().insert(Peer(PROXY));
        TowerToHyperService::new(router::router(&site)).call(request).await.unwrap()
    };
    let feed = format!("/api/contests/{}/event-feed", site.id());
    let of_network = |number: usize| format!("2001:db8:0:1::{number:x}");
    for (one, client) in [("192.0.2.6", None), ("2001:db8:0:1::ffff", Some(of_network))] {
        let mut streams = Vec::new();
        for number in 0..MAX_PER_ADDRESS {
            let client = client.map_or_else(|| one.to_owned(), |of| of(number));
            let path = if number % 2 == 0 { "/live" } else { &feed };
            streams.push(ask(path, &client).await);
        }
        assert!(streams.iter().all(|answer| answer.status() == StatusCode::OK));
        for path in ["/live", &feed] {
            let refused = ask(path, one).await;
            assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS, "{path}");
            assert_eq!(refused.headers()[header::RETRY_AFTER], "60");
        }
        for (path, client) in [("/board", one), ("/live", "192.0.2.7"), ("/live", "2001:db8:0:2::1")] {
            assert_eq!(ask(path, client).await.status(), StatusCode::OK, "{path} for {client}");
        }
        streams.pop();
        assert_eq!(ask("/live", one).await.status(), StatusCode::OK, "one has ended");
    }
    // Text that a client writes before the proxy's address does not make it another client, even if it is invalid.
    let mut codes = Vec::new();
    for _ in 0..=MAX_PER_ADDRESS {
        let mut request = request("GET", "/live", (FORWARDED, ""), Body::empty());
        request.headers_mut().insert(FORWARDED, HeaderValue::from_bytes(b"198.51.100.1, \xff, 192.0.2.8").unwrap());
        request.extensions_mut().insert(Peer(PROXY));
        codes.push(TowerToHyperService::new(router::router(&site)).call(request).await.unwrap());
    }
    let refused = codes.iter().filter(|answer| answer.status() == StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.count(), 1);
    drop(codes);
    // A request of the proxy without a client's address counts for the proxy.
    let mut own = Vec::new();
    for _ in 0..=MAX_PER_ADDRESS {
        own.push(ask("/live", "").await.status());
    }
    assert_eq!(own, [StatusCode::OK; MAX_PER_ADDRESS + 1]);
}

#[tokio::test]
async fn a_request_names_its_host_once_and_no_other_one() {
    let folder = tempfile::tempdir().unwrap();
    let (site, ..) = site(folder.path(), 1, |_| Ok(1 << 30));
    let code = async |uri: &str, hosts: &[&str]| {
        let mut request = Request::builder().uri(uri);
        for host in hosts {
            request = request.header(header::HOST, *host);
        }
        ask(&site, request.body(Body::empty()).unwrap()).await.0
    };
    let (own, other) = (format!("http://{ADDRESS}/board"), "contest.example.org");
    for path in ["/board", &own, "/healthz"] {
        assert_eq!(code(path, &[ADDRESS]).await, StatusCode::OK, "{path}");
    }
    let named = [
        "http://contest.example.org/board",
        "https://contest.example.org/board",
        "http://ada@127.0.0.1:1/board",
        "http://localhost:1/board",
        "http://127.0.0.1/board",
    ];
    for address in named {
        assert_eq!(code(address, &[ADDRESS]).await, StatusCode::BAD_REQUEST, "{address}");
    }
    for hosts in [&[][..], &[ADDRESS, ADDRESS], &[ADDRESS, other], &[other, ADDRESS], &[ADDRESS, ""]] {
        for path in ["/board", &own, "/api/contests", "/healthz"] {
            assert_eq!(code(path, hosts).await, StatusCode::BAD_REQUEST, "{path} {hosts:?}");
        }
    }
    assert_eq!(code("/board", &[other]).await, StatusCode::MISDIRECTED_REQUEST);
    assert_eq!(code(&format!("http://{other}/board"), &[other]).await, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_form_names_the_page_that_sent_it_once() {
    let folder = tempfile::tempdir().unwrap();
    let (site, ..) = site(folder.path(), 1, |_| Ok(1 << 30));
    let own = format!("http://{ADDRESS}");
    let code = async |headers: &[(&str, &str)]| {
        let mut request = Request::builder().method("POST").uri("/no-such-form").header(header::HOST, ADDRESS);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        ask(&site, request.body(Body::empty()).unwrap()).await.0
    };
    let (other, same) = ("http://contest.example.org", "same-origin");
    for name in ["origin", "sec-fetch-site"] {
        let mut request = request("POST", "/no-such-form", (header::ACCEPT, "*/*"), Body::empty());
        request.headers_mut().insert(name, HeaderValue::from_bytes(b"same-origin\xff").unwrap());
        assert_eq!(ask(&site, request).await.0, StatusCode::FORBIDDEN, "{name} that is no text");
    }
    assert_eq!(code(&[("origin", &own)]).await, StatusCode::NOT_FOUND);
    assert_eq!(code(&[("origin", other)]).await, StatusCode::FORBIDDEN);
    for second in [&own, other, ""] {
        assert_eq!(code(&[("origin", &own), ("origin", second)]).await, StatusCode::BAD_REQUEST, "{second}");
    }
    for second in [same, "cross-site"] {
        let twice = [("sec-fetch-site", same), ("sec-fetch-site", second)];
        assert_eq!(code(&twice).await, StatusCode::BAD_REQUEST, "{second}");
    }
}
