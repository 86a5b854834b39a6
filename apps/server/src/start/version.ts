import server from '../../package.json' with { type: 'json' };

/** The version in this program's package.json. */
export const VERSION: string = server.version;
