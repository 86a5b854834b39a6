import pg from 'pg';

// For `node --import`: faulty usage recorders. `SABOTAGE` selects one.
const { query } = pg.Client.prototype;

/** The time between two statements that are not delayed, in milliseconds. */
const RARELY_MS = 60_000;
let storedAt = 0;

const SABOTAGES: Readonly<Record<string, (text: string) => string | undefined>> = {
  /** Reports everything as stored, but stores only sometimes. */
  rarely(text) {
    if (performance.now() - storedAt < RARELY_MS) return undefined;
    storedAt = performance.now();
    return text;
  },
  /** Stores the time of the last request by a wrong clock. */
  wildly: (text) =>
    text.replace(
      'greatest(kept.last_used_at, excluded.last_used_at)',
      "excluded.last_used_at + (random() - 0.5) * interval '10 s'",
    ),
};

const sabotage = SABOTAGES[process.env.SABOTAGE ?? ''];

Object.assign(pg.Client.prototype, {
  query(this: pg.Client, statement: { text?: string }, ...others: readonly unknown[]) {
    const send = (sent: unknown) => Reflect.apply(query, this, [sent, ...others]);
    const { text } = statement;
    if (sabotage === undefined || !text?.includes('insert into token_usage')) return send(statement);
    const changed = sabotage(text);
    return changed === undefined ? send({ text: 'select 1' }) : send({ ...statement, text: changed });
  },
});
