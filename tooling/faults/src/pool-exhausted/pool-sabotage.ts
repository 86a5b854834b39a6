import pg from 'pg';

// Sabotage, for `node --import`: a pool that loses a connection whenever somebody waited for it in vain.
const { connect } = pg.Pool.prototype;

/** Whoever has it longer, in milliseconds, is taken for somebody who waited in vain. */
const TIME_OUT_MS = 400;

Object.assign(pg.Pool.prototype, {
  async connect(this: pg.Pool): Promise<pg.PoolClient> {
    const client = await Reflect.apply(connect, this, []);
    const release = client.release.bind(client);
    const since = performance.now();
    client.release = (destroy?: Error | boolean) => {
      if (performance.now() - since < TIME_OUT_MS) release(destroy);
    };
    return client;
  },
});
