//! Open connections. At the maximum, each new connection ends an open one, so that teams, the organiser and monitoring programs
//! can always connect. Anonymous clients lose connections first, then teams, and the organiser never. For each, streams end
//! first, then idle connections, then current requests. Of equal connections, those of the address or team with the most end
//! first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use judge_office::state::Holder;
use tokio::sync::Notify;

use crate::arrival::{MAX_PER_ADDRESS, network};

/// The most connections that are kept for one team, or for the organiser. Further ones count as anonymous.
const MAX_PER_HOLDER: usize = 64;
/// The number of connections with a current request that are kept for one team.
const KEPT_PER_TEAM: usize = 8;

tokio::task_local! {
    /// The connection of the request that this task handles; not set in tests without a connection.
    static CONNECTION: Arc<Connection>;
}

/// The connection of a request, as its extension.
#[derive(Clone)]
pub(crate) struct RequestConnection(pub(crate) Arc<Connection>);

/// Answers a request on its connection.
pub(crate) async fn with_connection<T>(connection: Option<Arc<Connection>>, answering: impl Future<Output = T>) -> T {
    match connection {
        Some(connection) => CONNECTION.scope(connection, answering).await,
        None => answering.await,
    }
}

/// Notes that the client has sent a valid token.
pub(crate) fn is_of(holder: &Holder) {
    CONNECTION.try_with(|connection| connection.is_of(holder)).ok();
}

/// All open connections.
#[derive(Clone)]
pub(crate) struct Connections {
    most: usize,
    open: Arc<Mutex<OpenConnections>>,
}

#[derive(Default)]
struct OpenConnections {
    next: u64,
    by_number: BTreeMap<u64, OpenConnection>,
}

/// The known properties of a connection.
struct OpenConnection {
    /// The address of the client, or its network, once it is known.
    client: IpAddr,
    is_proxy: bool,
    holder: Option<Holder>,
    current_use: ConnectionUse,
    ends: Arc<Notify>,
}

/// The current use of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConnectionUse {
    /// The server waits for the head of a request.
    Nothing,
    /// A request is being answered.
    Answers,
    /// An endless response is being sent.
    Streams,
}

/// An open connection, until this is dropped.
pub(crate) struct Connection {
    all: Connections,
    number: u64,
    ends: Arc<Notify>,
}

impl Connections {
    /// An empty collection for at most `most` connections.
    pub(crate) fn new(most: usize) -> Self {
        Self { most, open: Arc::default() }
    }

    /// Opens a connection, and may end another one for it. `None` if none can be ended.
    pub(crate) fn open(&self, address: IpAddr, is_proxy: bool) -> Option<Arc<Connection>> {
        let (client, ends) = (network(address), Arc::new(Notify::new()));
        let mut opened = self.opened();
        let is_of_address = |open: &OpenConnection| !open.is_proxy && open.holder.is_none() && open.client == client;
        let of_address = opened.by_number.values().filter(|open| is_of_address(open)).count();
        if !is_proxy && of_address >= MAX_PER_ADDRESS {
            opened.end_one(&is_of_address)?;
        }
        if opened.by_number.len() >= self.most {
            opened.end_one(&|_| true)?;
        }
        let number = opened.next;
        opened.next += 1;
        let open =
            OpenConnection { client, is_proxy, holder: None, current_use: ConnectionUse::Nothing, ends: ends.clone() };
        opened.by_number.insert(number, open);
        Some(Arc::new(Connection { all: self.clone(), number, ends }))
    }

    fn opened(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    /// Ends the least important connection among some. `None` if none of them may be ended.
    fn end_one(&mut self, among: &dyn Fn(&OpenConnection) -> bool) -> Option<()> {
        let mut together: HashMap<(u8, Group<'_>), usize> = HashMap::new();
        for open in self.by_number.values() {
            *together.entry((open.rank(), open.group())).or_default() += 1;
        }
        let key = |(number, open): (&u64, &OpenConnection)| {
            let (rank, group) = (open.rank(), open.group());
            let many = together.get(&(rank, group)).copied().unwrap_or_default();
            let goes = match rank {
                KEPT => false,
                OF_TEAM_ANSWERED => many > KEPT_PER_TEAM,
                _ => true,
            };
            goes.then_some((rank, Reverse(many), *number))
        };
        let first = self.by_number.iter().filter(|(_, open)| among(open)).filter_map(key).min();
        let (_, _, number) = first?;
        self.by_number.remove(&number)?.ends.notify_one();
        Some(())
    }
}

/// The owner of connections that are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Group<'a> {
    Address(IpAddr),
    Team(&'a str),
    Organiser,
}

/// The rank of a response to a team, and the rank of connections that are never ended for others.
const OF_TEAM_ANSWERED: u8 = 5;
const KEPT: u8 = 6;

impl OpenConnection {
    /// The rank in which the connection is ended for others, the lowest first.
    fn rank(&self) -> u8 {
        match (&self.holder, self.current_use) {
            (None, ConnectionUse::Streams) => 0,
            (None, ConnectionUse::Nothing) => 1,
            (None, ConnectionUse::Answers) => 2,
            (Some(Holder::Team(_)), ConnectionUse::Streams) => 3,
            (Some(Holder::Team(_)), ConnectionUse::Nothing) => 4,
            (Some(Holder::Team(_)), ConnectionUse::Answers) => OF_TEAM_ANSWERED,
            (Some(Holder::Organiser(_)), _) => KEPT,
        }
    }

    fn group(&self) -> Group<'_> {
        match &self.holder {
            None => Group::Address(self.client),
            Some(Holder::Team(team)) => Group::Team(team),
            Some(Holder::Organiser(_)) => Group::Organiser,
        }
    }
}

impl Connection {
    /// Notes that a request on behalf of an address has arrived. It is anonymous until it has shown a token.
    pub(crate) fn begins(&self, client: IpAddr) {
        self.change(|open| {
            (open.client, open.holder, open.current_use) = (network(client), None, ConnectionUse::Answers)
        });
    }

    /// Records the current use of the connection.
    pub(crate) fn set_use(&self, current_use: ConnectionUse) {
        self.change(|open| open.current_use = current_use);
    }

    fn is_of(&self, holder: &Holder) {
        let mut opened = self.all.opened();
        let own = opened.by_number.values().filter(|open| open.holder.as_ref() == Some(holder)).count();
        if let Some(open) = opened.by_number.get_mut(&self.number).filter(|_| own < MAX_PER_HOLDER) {
            open.holder = Some(holder.clone());
        }
    }

    /// Waits until the connection is to be ended for another one.
    pub(crate) async fn ended(&self) {
        self.ends.notified().await;
    }

    fn change(&self, change: impl FnOnce(&mut OpenConnection)) {
        if let Some(open) = self.all.opened().by_number.get_mut(&self.number) {
            change(open);
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.all.opened().by_number.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(number: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, number])
    }

    fn team(name: &str) -> Holder {
        Holder::Team(name.into())
    }

    /// The indices of the open connections in a list.
    fn open(all: &Connections, list: &[Arc<Connection>]) -> Vec<usize> {
        let opened = all.opened();
        (0..list.len()).filter(|&index| opened.by_number.contains_key(&list[index].number)).collect()
    }

    #[test]
    fn strangers_make_room_in_an_order_and_teams_and_the_organiser_stay() {
        let all = Connections::new(6);
        let list: Vec<_> = (0..6).map(|number| all.open(address(number), false).unwrap()).collect();
        list.iter().zip(0..).for_each(|(one, number)| one.begins(address(number)));
        list[0].is_of(&Holder::Organiser("max".into()));
        list[1].is_of(&team("ada"));
        list[1].set_use(ConnectionUse::Streams);
        list[2].is_of(&team("bob"));
        list[3].set_use(ConnectionUse::Nothing);
        list[5].set_use(ConnectionUse::Streams);
        let mut later = Vec::new();
        // In this order: an anonymous stream, a silent anonymous client, an anonymous request, a team's stream. New clients are
        // served at once.
        for left in [&[0, 1, 2, 3, 4][..], &[0, 1, 2, 4], &[0, 1, 2], &[0, 2]] {
            let new = all.open(address(9), false).unwrap();
            new.begins(address(9));
            new.is_of(&team("cleo"));
            later.push(new);
            assert_eq!(open(&all, &list), left);
        }
        assert!(all.open(address(9), false).is_none(), "nobody has more than a few that are answered");
        later.pop();
        assert!(all.open(address(9), false).is_some());
    }

    #[test]
    fn the_address_with_the_most_connections_makes_room_first() {
        let all = Connections::new(8);
        let of = |number: u8| all.open(address(number), false).unwrap();
        let list: Vec<_> = [1, 2, 2, 2, 2, 3, 3, 1].into_iter().map(of).collect();
        let _new = [of(4), of(5)];
        assert_eq!(open(&all, &list), [0, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn an_address_has_its_share_and_teams_behind_it_have_more() {
        let all = Connections::new(1000);
        let open_one = || all.open(address(1), false).unwrap();
        let strangers: Vec<_> = (0..MAX_PER_ADDRESS).map(|_| open_one()).collect();
        let _later = open_one();
        assert_eq!(open(&all, &strangers).len(), MAX_PER_ADDRESS - 1, "the first one made room");
        let of_team: Vec<_> = (0..=MAX_PER_HOLDER)
            .map(|_| {
                let one = open_one();
                one.is_of(&team("ada"));
                one
            })
            .collect();
        assert_eq!(open(&all, &of_team).len(), MAX_PER_HOLDER + 1);
        assert_eq!(all.opened().by_number.values().filter(|open| open.holder.is_some()).count(), MAX_PER_HOLDER);
        let of_proxy: Vec<_> = (0..=MAX_PER_ADDRESS).map(|_| all.open(address(2), true).unwrap()).collect();
        assert_eq!(open(&all, &of_proxy).len(), MAX_PER_ADDRESS + 1, "a proxy has as many as it wants");
    }

    #[test]
    fn a_team_does_not_take_the_places_of_others() {
        let all = Connections::new(MAX_PER_HOLDER);
        let greedy: Vec<_> = (0..MAX_PER_HOLDER)
            .map(|_| {
                let one = all.open(address(1), false).unwrap();
                one.begins(address(1));
                one.is_of(&team("greedy"));
                one
            })
            .collect();
        let ada = all.open(address(2), false).unwrap();
        ada.begins(address(2));
        ada.is_of(&team("ada"));
        for _ in 0..10 {
            all.open(address(3), false).expect("a place");
        }
        // Until others have all connections except those few.
        let others = (0..).map_while(|number| {
            let one = all.open(address(4), false)?;
            one.begins(address(4));
            one.is_of(&team(&format!("team-{number}")));
            Some(one)
        });
        assert_eq!(others.collect::<Vec<_>>().len(), MAX_PER_HOLDER - 1 - KEPT_PER_TEAM);
        assert_eq!(open(&all, &[ada]), [0]);
        assert_eq!(open(&all, &greedy).len(), KEPT_PER_TEAM);
    }

    #[tokio::test]
    async fn one_that_makes_room_hears_of_it() {
        let all = Connections::new(1);
        let first = all.open(address(1), false).unwrap();
        let _second = all.open(address(2), false).unwrap();
        tokio::time::timeout(std::time::Duration::from_secs(120), first.ended()).await.expect("it ends");
    }
}
