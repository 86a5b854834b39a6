// For `node --import`: a message of the parent process sets the wall clock of this one.
import { isMainThread } from 'node:worker_threads';

const realNow = Date.now;
let offsetMs = 0;
Date.now = () => realNow() + offsetMs;

if (isMainThread) {
  process.on('message', (message: { readonly wallOffsetMs?: number }) => {
    offsetMs = message.wallOffsetMs ?? offsetMs;
  });
  // Otherwise the process would wait for messages.
  process.channel?.unref();
}
