// A second press while STORES answers slowly would drop the answer to the first one, and with it the session. So the
// button is switched off after the first press and says that something happens. Without this script it works once too.
(function () {
  var pressed = [];
  document.addEventListener("submit", function (event) {
    if (event.defaultPrevented) return;
    var button = event.target.querySelector("button[type=submit]");
    if (!button) return;
    if (button.getAttribute("aria-disabled")) {
      event.preventDefault();
      return;
    }
    pressed.push([button, button.textContent]);
    button.setAttribute("aria-disabled", "true");
    button.textContent = "お待ちください…";
  });
  // The browser may show the page again as it was, after a press of its back button.
  addEventListener("pageshow", function () {
    pressed.splice(0).forEach(function (one) {
      one[0].removeAttribute("aria-disabled");
      one[0].textContent = one[1];
    });
  });
})();
