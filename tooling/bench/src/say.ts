/** Tells whoever waits how far it is. */
export type Say = (progress: string) => void;

export const say: Say = (progress) => process.stderr.write(`${progress} ...\n`);
