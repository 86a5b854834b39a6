import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

// Sabotage for `node --import`: makes the store write a record and its audit event in two transactions.
const { query } = pg.Client.prototype;

/** Long enough for a process to be killed in between, in milliseconds. */
const GAP_MS = 300;

Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...args: readonly [unknown, ...unknown[]]) {
    const send = (...words: readonly unknown[]) => Reflect.apply(query, this, words);
    const [statement] = args;
    const text = typeof statement === 'object' && statement !== null && 'text' in statement && statement.text;
    if (typeof text !== 'string' || !text.startsWith('insert into audit_events')) return send(...args);
    return (async () => {
      await send('commit');
      await delay(GAP_MS);
      await send('begin');
      return send(...args);
    })();
  },
});
