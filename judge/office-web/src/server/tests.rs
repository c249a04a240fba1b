mod groups;
mod nightly;
mod sealed;
mod twins;

use super::*;

#[test]
fn connections_leave_descriptors_to_the_judge() {
    let most = [Some(256), Some(1024), Some(1 << 20), None, Some(10)].map(most_connections);
    assert_eq!(most, [128, 896, MAX_CONNECTIONS, MAX_CONNECTIONS, 1]);
}
