import { fileURLToPath } from 'node:url';
import { type ServerProcess, startServer } from './server-process.ts';

const PROGRAM = fileURLToPath(new URL('../../../../apps/server/src/main.ts', import.meta.url));

export interface GatehouseOptions {
  readonly databaseUrl: string;
  readonly masterKey: string;
  readonly cores: string | undefined;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts our server as usual, on free ports. */
export function startGatehouse(options: GatehouseOptions): Promise<ServerProcess> {
  const { databaseUrl, masterKey, cores, settings = {} } = options;
  const env = {
    DATABASE_URL: databaseUrl,
    GATEHOUSE_MASTER_KEY: masterKey,
    PORT: '0',
    OPS_PORT: '0',
    ...settings,
  };
  return startServer({ program: PROGRAM, env, cores });
}
