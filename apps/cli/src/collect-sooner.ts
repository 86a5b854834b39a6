/** The time between two checks of the command's CPU time, in milliseconds. */
const PERIOD_MS = 250;

/** A command that has used more CPU time than this, in milliseconds, reads many records. */
const SHORT_MS = 400;

/**
 * Makes V8 collect garbage sooner in a command that reads many records. By default the heap grows to several times the
 * memory in use, and servers on the same machine then have less memory. The flag is not set at the start: V8 reuses
 * compiled code only if the flags are the same as when the code was compiled, so each short command would have to
 * compile its modules again.
 */
export function collectSooner(): void {
  const timer = setInterval(() => {
    if (process.cpuUsage().user < SHORT_MS * 1_000) return;
    clearInterval(timer);
    // `getBuiltinModule` loads these modules only now. Imports at the top would cost each short command 5 ms.
    process.getBuiltinModule('node:module').flushCompileCache();
    process.getBuiltinModule('node:v8').setFlagsFromString('--heap-growing-percent=50');
  }, PERIOD_MS).unref();
}
