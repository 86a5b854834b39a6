/** Prints progress to standard error. */
export const say = (progress: string) => void process.stderr.write(`${progress} ...\n`);
