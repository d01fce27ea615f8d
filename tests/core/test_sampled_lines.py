import structlog

from tests.concurrency.threads import at_once
from tests.servers import eventually
from tsudoi.core.sampled_lines import LineSampler


class TestLineSampler:
    def test_writes_so_many_of_a_kind_and_counts_all(self) -> None:
        sampler = LineSampler(most=3)
        assert [sampler.admit("forged") for _ in range(5)] == [True] * 3 + [False] * 2
        assert sampler.admit("other")
        assert sampler.counted == {"forged": 5, "other": 1}

    def test_then_writes_one_line_with_the_number_of_the_others(self) -> None:
        sampler = LineSampler(most=2, seconds=0.05)
        with structlog.testing.capture_logs() as logs:
            for _ in range(10):
                sampler.admit("forged")
            eventually(lambda: logs)
            [line] = logs
            assert (line["event"], line["kind"], line["number"]) == ("lines_left_out", "forged", 8)
            eventually(lambda: sampler.admit("forged"))

    def test_the_summary_may_go_elsewhere(self) -> None:
        sampler, told = LineSampler(most=1, seconds=0.05), list[int]()
        for _ in range(4):
            sampler.admit("forged", write_summary=told.append)
        eventually(lambda: told == [3])

    def test_a_process_that_ends_writes_its_summaries_first(self) -> None:
        sampler, told = LineSampler(most=1, seconds=3600), list[int]()
        for _ in range(4):
            sampler.admit("forged", write_summary=told.append)
        sampler.close()
        assert told == [3]

    def test_no_lines_left_out_means_no_summary(self) -> None:
        sampler, told = LineSampler(most=5), list[int]()
        sampler.admit("forged", write_summary=told.append)
        sampler.close()
        assert told == []

    def test_one_source_leaves_room_for_others(self) -> None:
        sampler = LineSampler(most=5, most_of_source=2)
        assert [sampler.admit("401", "loud") for _ in range(4)] == [True, True, False, False]
        assert [sampler.admit("401", f"quiet {n}") for n in range(5)] == [True] * 3 + [False] * 2

    def test_counts_in_many_threads(self) -> None:
        sampler = LineSampler(most=50)
        admitted = at_once(8, lambda _: sum(sampler.admit("forged") for _ in range(100)))
        assert (sum(admitted), sampler.counted["forged"]) == (50, 800)
        sampler.close()
