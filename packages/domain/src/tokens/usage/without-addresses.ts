import type { UsageRecorder } from './token-usage.ts';

/** Wraps a recorder so that it records no addresses. */
export function withoutAddresses<Recorder extends UsageRecorder>(recorder: Recorder): Recorder {
  return {
    ...recorder,
    used: (id, at) => recorder.used(id, at),
    refused: (id, at, reason) => recorder.refused(id, at, reason),
  };
}
