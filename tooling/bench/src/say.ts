/** Prints progress to standard error. */
export type Say = (progress: string) => void;

export const say: Say = (progress) => process.stderr.write(`${progress} ...\n`);
