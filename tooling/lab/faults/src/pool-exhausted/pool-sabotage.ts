import pg from 'pg';

// Sabotage, for `node --import`: a pool that loses a connection whenever a caller timed out waiting for it.
const { connect } = pg.Pool.prototype;

/** The time in milliseconds after which a caller counts as timed out. */
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
