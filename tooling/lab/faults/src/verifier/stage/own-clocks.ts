import { monotonicMs } from './monotonic.ts';

/** How the clocks of a verifier's process differ from the machine's. A field that is left out stays as it was. */
export interface ClockFault {
  /** The speed of both clocks: 1.05 gains 5 % from now on. */
  readonly speed?: number;
  /** Whether the wall clock keeps the right speed, and only the monotonic clock has the other one. */
  readonly wallIsSteady?: boolean;
  /** Sets the wall clock forward by this time in milliseconds, or back if it is negative. */
  readonly stepMs?: number;
  /**
   * Which clocks stand still while the process is stopped, as if its machine was suspended: on Linux the monotonic clock
   * does. If a virtual machine is paused, both do.
   */
  readonly standStill?: 'none' | 'monotonic' | 'both';
}

/** A process that reads no clock for this long was stopped. The verifier's process reads its clocks every few milliseconds. */
const STOPPED_MS = 700;

/** The clocks that a verifier gets, which can be made wrong while it runs. */
export function createOwnClocks() {
  let [speed, wallSpeed] = [1, 1];
  let standStill: ClockFault['standStill'] = 'none';
  let last = monotonicMs();
  let monotonic = last;
  let wall = Date.now();

  /** Both clocks go on from the last reading, at their own speeds. */
  function now() {
    const real = monotonicMs();
    const passed = real - last;
    last = real;
    const wasStopped = passed > STOPPED_MS;
    if (!wasStopped || standStill === 'none') monotonic += passed * speed;
    if (!wasStopped || standStill !== 'both') wall += passed * wallSpeed;
    return { monotonic, wall };
  }

  return {
    now,
    fail(fault: ClockFault): void {
      now();
      if (fault.speed !== undefined) {
        speed = fault.speed;
        wallSpeed = fault.wallIsSteady ? 1 : fault.speed;
      }
      wall += fault.stepMs ?? 0;
      standStill = fault.standStill ?? standStill;
    },
  };
}
