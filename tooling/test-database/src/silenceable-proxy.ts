import { openRelay } from './relay.ts';

/** A proxy to the database that can fail. */
export interface SilenceableProxy {
  readonly url: string;
  /** Keeps connections and accepts new ones, but drops all data. */
  silence(now: boolean): void;
  /** Destroys all connections, and each new one. */
  cut(now: boolean): void;
  /** Resolves when there is another connection. */
  connected(): Promise<void>;
  close(): Promise<void>;
}

export async function openSilenceableProxy(url: string): Promise<SilenceableProxy> {
  let silent = false;
  let isCut = false;
  let connected = Promise.withResolvers<void>();
  const relay = await openRelay(url, {
    accepts() {
      if (!isCut) connected.resolve();
      return !isCut;
    },
    carry(pass) {
      if (!silent) pass();
    },
  });
  return {
    url: relay.url,
    silence(now) {
      silent = now;
    },
    cut(now) {
      isCut = now;
      if (now) relay.cutAll();
    },
    connected() {
      connected = Promise.withResolvers();
      return connected.promise;
    },
    close: async () => relay[Symbol.asyncDispose](),
  };
}
