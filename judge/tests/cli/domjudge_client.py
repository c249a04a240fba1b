"""Submits a file with the services of PyPI's domjudge-cli, and waits for its judgement."""

import sys
import time

from dom.infrastructure.api.client import DomJudgeClient
from dom.infrastructure.api.services.submissions import SubmissionService
from dom.types.team import Team


def main(url, contest, problem, team, token, file):
    service = SubmissionService(DomJudgeClient(url, team, token))
    with open(file, "rb") as source:
        submission = service.submit(contest, problem, file, "c", source.read(), Team(id=team, name=team, password=token))
    assert (submission.team_id, submission.problem_id, submission.language_id) == (team, problem, "c"), submission
    for _ in range(1200):
        judgement = service.get_judgement(contest, submission.id)
        if judgement is not None and judgement.judgement_type_id is not None:
            assert judgement.submission_id == submission.id and judgement.max_run_time >= 0, judgement
            print(f"submission {submission.id}: {judgement.judgement_type_id}")
            return
        time.sleep(0.1)
    sys.exit("no judgement")


if __name__ == "__main__":
    main(*sys.argv[1:])
