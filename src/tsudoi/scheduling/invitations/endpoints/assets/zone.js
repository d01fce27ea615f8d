// Chooses the reader's own time zone in the list, where it is not Japan's. Without this script one chooses by hand.
(function () {
  var list = document.getElementById("tz");
  var fold = document.getElementById("zones");
  if (!list || !fold || /[?&]tz=/.test(location.search)) return;
  var own = "";
  try {
    own = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
  } catch (error) {
    return;
  }
  if (!own || own === "Asia/Tokyo" || own === "Japan") return;
  var known = Array.prototype.some.call(list.options, function (option) {
    return option.value === own;
  });
  if (!known) list.add(new Option(own, own));
  list.value = own;
  fold.open = true;
})();
