import server from '../../package.json' with { type: 'json' };

/** The version of Gatehouse, from the server's package.json. */
export const VERSION: string = server.version;
