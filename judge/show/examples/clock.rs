//! Counts seconds in the middle of the terminal until a key is pressed: `cargo run -p judge-show --example clock`.

use std::io;
use std::time::Duration;

use judge_sandbox::{Interrupt, StopRequest as _, wait_readable};
use judge_show::screen::{Colour, Screen, Style, colours_wanted, possible};

fn main() -> io::Result<()> {
    if !possible(io::stdout()) {
        return Err(io::Error::other("standard output is not a terminal"));
    }
    let interrupt = Interrupt::on_signals()?;
    let mut screen = Screen::enter(colours_wanted(), &interrupt)?;
    let keys = screen.keys()?;
    for second in 0.. {
        screen.draw(|canvas| {
            let text = format!("{second} s; press any key");
            let column = canvas.width().saturating_sub(text.len()) / 2;
            canvas.write(canvas.height() / 2, column, &text, Style::BOLD.colour(Colour::Cyan));
        })?;
        let [stopped, pressed] = wait_readable([interrupt.fd(), keys.fd()], Duration::from_secs(1))?;
        if stopped || pressed || interrupt.requested() {
            break;
        }
    }
    Ok(())
}
