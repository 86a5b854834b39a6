import { host, wholeNumber } from './values.ts';

/** Where servers answer health checks, and `gatehouse health` asks them. */
export const opsSettings = {
  OPS_HOST: host.default('127.0.0.1'),
  /** Servers without it choose any free port if the default is in use. */
  OPS_PORT: wholeNumber(0, 65_535).optional(),
};

export const DEFAULT_OPS_PORT = 8081;
