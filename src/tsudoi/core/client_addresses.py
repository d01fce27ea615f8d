"""The network address of a caller: how it is counted, and whether it belongs to our own network. Pure."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

# Addresses that only machines of one's own network have. Python's `is_private` knows more, such as the addresses that
# are reserved for documents, and anybody may write those into a header.
_OWN_NETWORKS = tuple(
    ip_network(network)
    for network in ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7", "fe80::/10")
)
# A provider gives each customer a whole network of this size, so that its owner has as many addresses as they like.
_IPV6_PREFIX = 64


def rate_key(address: str) -> str:
    """The name under which every rate limit counts this address: IPv4 as it is, IPv6 by its /64."""
    found = _parsed(address)
    return str(ip_network((found, _IPV6_PREFIX), strict=False)) if isinstance(found, IPv6Address) else str(found)


def is_internal(address: str) -> bool:
    """Whether this is the machine itself or a machine of a private network."""
    found = _parsed(address)
    return not isinstance(found, str) and any(found in network for network in _OWN_NETWORKS)


def _parsed(address: str) -> IPv4Address | IPv6Address | str:
    """The address, or the text itself where it is none. An IPv4 address that is written as IPv6 is the same caller."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return (found.ipv4_mapped if isinstance(found, IPv6Address) else None) or found
