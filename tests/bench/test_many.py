"""Tables that benches copy are as sound as those that were opened."""

from __future__ import annotations

from pathlib import Path

from pbem.store.audit import check_repository
from tests.bench.many import multiply
from tests.whole.room import Hall


def test_a_copy_is_a_table_that_nothing_has_to_mend_and_that_answers(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.seat_all(3)
    paced = hall.seat_all(2, options={"pace": "brisk"})
    hall.spool.sent([row.message_id for row in hall.spool.rows()], hall.time)
    multiply(hall.store, hall.spool, tmp_path / "mail", hall.desk.services.keys, 5)
    hall.restart()
    assert hall.spool.recover(hall.store) == hall.spool.moved_on(hall.store) == ()
    names = hall.store.names()
    assert len(names) == 5
    assert [check_repository(hall.store.open(name)) for name in names] == [()] * 5
    copies = [name for name in names if name not in ("troyes-1", paced)]
    for name in copies:
        mail = next(got for got in hall.mails("anna") if got.message["X-PBEM-Game"] == name)
        assert [name] == [str(got.message["X-PBEM-Game"]) for got in hall.sent_by("anna", "status", to=mail)]
