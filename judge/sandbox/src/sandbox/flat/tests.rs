//! Tests of writing and reading plans.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
use super::super::sys::bytes_of;
use super::*;

#[test]
fn what_is_written_is_read_in_the_same_order() {
    let mut writer = Writer::default();
    writer.number(7).flag(true).optional(None, Writer::number).optional(Some(3), Writer::number);
    writer.text(c"seven b").bytes(b"123456789");
    writer.list([(c"a", 1), (c"bcdefghi", 2)], |to, (text, number)| to.text(text).number(number));
    writer.list([0_u64; 0], |to, number| to.number(number)).number(9);
    let mut reader = Reader::new(bytes_of(writer.words()));
    assert_eq!((reader.read(), reader.read()), (Some(7_u64), Some(true)));
    assert_eq!((reader.read(), reader.read()), (Some(None::<u64>), Some(Some(3_u64))));
    assert_eq!((reader.read(), reader.read()), (Some(c"seven b"), Some(&b"123456789"[..])));
    let list: List<'_, (&CStr, u64)> = reader.read().unwrap();
    assert_eq!(list.iter().collect::<Vec<_>>(), [(c"a", 1), (c"bcdefghi", 2)]);
    assert_eq!(reader.read::<List<'_, u64>>().unwrap().len(), 0);
    assert_eq!(reader.read(), Some(9_u64));
    assert_eq!(reader.read::<u64>(), None);
}

#[test]
fn bytes_that_were_cut_off_are_nothing() {
    let mut writer = Writer::default();
    writer.text(c"a text of several words");
    for length in 0..bytes_of(writer.words()).len() {
        assert_eq!(Reader::new(&bytes_of(writer.words())[..length]).read::<&CStr>(), None, "{length}");
    }
    let lying = [u64::MAX, u64::MAX];
    assert!(Reader::new(bytes_of(&lying)).read::<List<'_, u64>>().is_none());
    assert_eq!(Reader::new(bytes_of(&lying)).read::<&[u8]>(), None);
}
