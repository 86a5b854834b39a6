// A program that runs until it is stopped, and prints what stopped it.
/** @param {string} reason */
const end = (reason) => {
  console.log(reason);
  process.exit(7);
};
process.on('SIGTERM', () => end('SIGTERM'));
process.on('SIGINT', () => end('SIGINT'));
process.on('disconnect', () => end('disconnect'));
setInterval(() => undefined, 60_000);
console.log(`ready ${process.pid}`);
