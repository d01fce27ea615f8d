import pytest

from tsudoi.core.client_addresses import is_internal, rate_key


class TestRateKey:
    @pytest.mark.parametrize(
        ("address", "key"),
        [
            ("203.0.113.7", "203.0.113.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:DB8:1:2::1", "2001:db8:1:2::/64"),
            ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
            ("::ffff:203.0.113.7", "203.0.113.7"),
            ("::1", "::/64"),
            ("fe80::1%eth0", "fe80::/64"),
            ("unknown", "unknown"),
            ("", ""),
        ],
    )
    def test_counts_an_ipv6_address_by_its_network(self, address: str, key: str) -> None:
        assert rate_key(address) == key


class TestIsInternal:
    @pytest.mark.parametrize(
        "address",
        ["127.0.0.1", "127.9.9.9", "::1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "fd00::1", "::ffff:10.0.0.1"],
    )
    def test_knows_this_machine_and_private_networks(self, address: str) -> None:
        assert is_internal(address)

    @pytest.mark.parametrize(
        "address",
        [
            *("203.0.113.7", "198.51.100.1", "192.0.2.1", "172.32.0.1", "100.64.0.1", "169.254.169.254", "8.8.8.8"),
            *("2001:db8::1", "::ffff:203.0.113.7", "0.0.0.0", "::", "unknown", "", "127.0.0.1, 10.0.0.1"),
        ],
    )
    def test_trusts_nobody_else(self, address: str) -> None:
        assert not is_internal(address)
