import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** One of this many transactions is rolled back. */
const ROLLED_BACK = 5;

const INSERT = `
  insert into audit_events (at, actor, origin, action, subject_type, subject_id, account_id, details)
  values (now(), '{"kind":"operator","name":"tester"}', 'test', 'account.renamed', 'account', $1::bigint::text, $1::bigint,
    jsonb_build_object('serial', $2::int))`;

/** The events of one account, by their serial numbers. */
export interface Written {
  readonly lane: string;
  readonly committed: readonly number[];
  readonly rolledBack: readonly number[];
}

export interface EventWriters extends AsyncDisposable {
  readonly written: readonly Written[];
  readonly committedCount: () => number;
  /** Writes so many further events of each account. */
  write(each: number): Promise<void>;
}

interface Options {
  readonly url: string;
  readonly accounts: number;
  /** The pause after each event, in milliseconds. */
  readonly pauseMs: number;
  /**
   * Whether connections may be lost. An event whose commit is then unknown counts as neither committed nor rolled back.
   */
  readonly mayBreak?: boolean;
}

/**
 * Opens writers of events of several accounts. A writer writes the events of its account one after the other.
 * Transactions take differently long, so events of different accounts are committed in another order than that of their
 * ids.
 */
export function openEventWriters({ url, accounts, pauseMs, mayBreak = false }: Options): EventWriters {
  const writers = Array.from({ length: accounts }, (_, index) => openWriter(url, 1000 + index, pauseMs));
  const written = writers.map((each) => each.written);
  return {
    written,
    committedCount: () => written.reduce((sum, { committed }) => sum + committed.length, 0),
    async write(each) {
      await Promise.all(writers.map((writer) => writer.write(each, mayBreak)));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(writers.map((writer) => writer.close()));
    },
  };
}

function openWriter(url: string, account: number, pauseMs: number) {
  const committed: number[] = [];
  const rolledBack: number[] = [];
  let serial = 0;
  let client: pg.Client | undefined;
  const close = async () => {
    await client?.end().catch(() => undefined);
    client = undefined;
  };

  async function writeOne(): Promise<void> {
    serial += 1;
    const isRolledBack = serial % ROLLED_BACK === 0;
    client ??= await connect(url);
    await client.query('begin');
    await client.query(INSERT, [account, serial]);
    if (serial % 3 === account % 3) await delay(pauseMs);
    await client.query(isRolledBack ? 'rollback' : 'commit');
    (isRolledBack ? rolledBack : committed).push(serial);
  }

  return {
    written: { lane: `account ${account}`, committed, rolledBack } satisfies Written,
    async write(each: number, mayBreak: boolean): Promise<void> {
      for (let count = 0; count < each; count += 1) {
        await writeOne().catch(async (error) => {
          if (!mayBreak) throw error;
          await close();
        });
        await delay(pauseMs);
      }
    },
    close,
  };
}

async function connect(url: string): Promise<pg.Client> {
  const patience = { connectionTimeoutMillis: 1000, query_timeout: 10_000 };
  const client = new pg.Client({ connectionString: url, ...patience });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
