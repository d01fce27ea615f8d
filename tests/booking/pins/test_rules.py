import pytest

from tsudoi.booking.pins.errors import PinNotAllowed, PinTrivial, PinUnchanged
from tsudoi.booking.pins.rules import INITIAL_PIN, is_pin, is_trivial, require_good_pin


@pytest.mark.row("3.6.3")
@pytest.mark.parametrize("text", ["123", "12345", "12a4", "１２３４", "1234\n", " 123", "", "-123", "12.4", "१२३४"])
def test_a_pin_is_four_ascii_digits(text: str) -> None:
    assert not is_pin(text)
    with pytest.raises(PinNotAllowed) as caught:
        require_good_pin(text, "newPin")
    assert [(detail.field, detail.reason) for detail in caught.value.details] == [("newPin", "INVALID_FORMAT")]


@pytest.mark.row("3.6.5")
@pytest.mark.parametrize("pin", [INITIAL_PIN, "1111", "9999", "1234", "4321", "0123", "7890", "0987", "6789", "1212"])
def test_a_trivial_pin_is_refused(pin: str) -> None:
    assert is_trivial(pin)
    with pytest.raises(PinTrivial):
        require_good_pin(pin)


@pytest.mark.row("3.6.5")
def test_the_old_pin_is_refused() -> None:
    with pytest.raises(PinUnchanged):
        require_good_pin("7391", old_pin="7391")


@pytest.mark.parametrize("pin", ["7391", "1235", "0001", "2468", "8020"])
def test_others_are_allowed(pin: str) -> None:
    require_good_pin(pin, old_pin=INITIAL_PIN)
