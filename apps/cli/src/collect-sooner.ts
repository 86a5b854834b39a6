/** The time between two checks of the command's CPU time, in milliseconds. */
const PERIOD_MS = 250;

/** A command that has used more CPU time than this reads many records. In milliseconds. */
const SHORT_MS = 400;

/**
 * Makes V8 collect garbage sooner in a command that reads much: by default the heap grows to several times what is in
 * use, but each record is needed only briefly, and the machine is shared with servers. This is not done at the start,
 * because V8 reuses compiled code only under the same flags: everything that is loaded later has to be compiled again,
 * including Node's own modules.
 */
export function collectSooner(): void {
  const timer = setInterval(() => {
    if (process.cpuUsage().user < SHORT_MS * 1_000) return;
    clearInterval(timer);
    // `getBuiltinModule` is used because importing these modules takes a short command 5 ms.
    process.getBuiltinModule('node:module').flushCompileCache();
    process.getBuiltinModule('node:v8').setFlagsFromString('--heap-growing-percent=50');
  }, PERIOD_MS).unref();
}
