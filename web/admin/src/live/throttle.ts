/** Runs at once, and then at most once per interval however often it is asked; the last request is never lost. */
export function atMostEvery(intervalMs: number, run: () => void): { request: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again = false;

  function go(): void {
    again = false;
    run();
    timer = setTimeout(() => {
      timer = undefined;
      if (again) go();
    }, intervalMs);
  }

  return {
    request: () => {
      if (timer === undefined) go();
      else again = true;
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      again = false;
    },
  };
}
