//! A site whose connections are all used by untrusted clients.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpStream};

use rustix::net::{AddressFamily, SocketType, bind, connect, socket};

use crate::site::{SOLVES, Site, TIMEOUT, club};

/// A limit of descriptors that leaves 128 connections.
const FEW_DESCRIPTORS: [&str; 2] = ["prlimit", "--nofile=256"];
const CONNECTIONS: usize = 128;
/// The most connections of one address.
const OF_ADDRESS: usize = 64;

/// A connection from one of the addresses of this machine.
fn connection(site: &Site, number: usize) -> TcpStream {
    let from = Ipv4Addr::new(127, 0, 1, u8::try_from(1 + number / OF_ADDRESS).unwrap());
    let SocketAddr::V4(to) = site.address.parse().unwrap() else { panic!("{}", site.address) };
    let stream = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    bind(&stream, &SocketAddrV4::new(from, 0)).unwrap();
    connect(&stream, &to).unwrap();
    let stream = TcpStream::from(stream);
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream
}

/// Fills the connections of the site with requests that never end.
fn crowd(site: &Site, number: usize, begins: &str) -> Vec<TcpStream> {
    let request = begins.replace("HOST", &site.address);
    // A busy machine may leave a connection unanswered for long, so others are tried, as a client would.
    let open = |number| {
        for _ in 0..4 {
            let mut stream = connection(site, number);
            stream.set_read_timeout(Some(TIMEOUT / 8)).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            if !request.ends_with("\r\n\r\n") {
                return stream;
            }
            // Wait until it is a stream, as the site treats pending requests differently.
            let mut begin = [0; 12];
            if stream.read_exact(&mut begin).is_ok() {
                assert_eq!(&begin, b"HTTP/1.1 200");
                return stream;
            }
        }
        panic!("connection {number} is not answered")
    };
    (0..number).map(open).collect()
}

/// The connections that the site has ended.
fn ended(crowd: &[TcpStream]) -> usize {
    let is_over = |stream: &&TcpStream| {
        stream.set_nonblocking(true).unwrap();
        let mut part = [0; 4096];
        loop {
            match (&mut &**stream).read(&mut part) {
                Ok(0) => return true,
                Ok(_) => {}
                Err(error) => return error.kind() != std::io::ErrorKind::WouldBlock,
            }
        }
    };
    crowd.iter().filter(is_over).count()
}

#[test]
#[ignore = "deep: siege"]
fn strangers_with_all_connections_keep_no_team_out() {
    let (folder, tokens) = club(&["ada"]);
    let log = std::fs::File::create(folder.path().join("access.log")).unwrap();
    let site = Site::started_by(&folder, &FEW_DESCRIPTORS, &[], log.into());
    for begins in ["GET /live HTTP/1.1\r\nHost: HOST\r\n\r\n", "GET /board HTTP/1.1\r\nHost: HO"] {
        // Twice as many as are possible. They end each other, and none is refused at once.
        let strangers = crowd(&site, 2 * CONNECTIONS, begins);
        let ada = site.with(&tokens[0]);
        let page = ada.submit("main.c", &format!("// {}\n{SOLVES}", begins.len()));
        assert_eq!(site.visitor().page("/readyz"), "ready\n");
        assert_eq!(site.visitor().page("/healthz"), "ok\n");
        ada.until(&page, "counts");
        let organiser = site.with(site.organiser.as_ref().unwrap());
        organiser.page("/office");
        let ended = ended(&strangers);
        assert!(ended >= CONNECTIONS, "{ended} of {} have made room", strangers.len());
    }
}

#[test]
fn a_live_board_of_a_team_goes_on_while_strangers_come() {
    let (folder, tokens) = club(&["ada"]);
    let log = std::fs::File::create(folder.path().join("access.log")).unwrap();
    let site = Site::started_by(&folder, &FEW_DESCRIPTORS, &[], log.into());
    let cookie = site.with(&tokens[0]).cookie().to_owned();
    let of_team = crowd(&site, 1, &format!("GET /live HTTP/1.1\r\nHost: HOST\r\nCookie: {cookie}\r\n\r\n"));
    let strangers = crowd(&site, 2 * CONNECTIONS, "GET /live HTTP/1.1\r\nHost: HOST\r\n\r\n");
    assert_eq!(ended(&of_team), 0);
    assert!(ended(&strangers) >= CONNECTIONS);
}
