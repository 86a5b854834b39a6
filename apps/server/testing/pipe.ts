import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Opens a named pipe, whose contents wait to be read. */
export async function openPipe() {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-log-'));
  const path = join(folder, 'pipe');
  await promisify(execFile)('mkfifo', [path]);
  const handle = await open(path, constants.O_RDWR | constants.O_NONBLOCK);
  const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  return {
    path,
    /** The file descriptor for writing. */
    fd,
    async readUntil(wanted: string): Promise<readonly string[]> {
      let text = '';
      while (!text.includes(wanted) || !text.endsWith('\n')) {
        const { bytesRead, buffer } = await handle.read().catch(noneYet);
        text += buffer.subarray(0, bytesRead).toString();
      }
      return text.trimEnd().split('\n');
    },
    /** Reads the current contents of the pipe. */
    readNow(): string {
      const buffer = Buffer.alloc(64 * 1024);
      try {
        return buffer.subarray(0, readSync(handle.fd, buffer)).toString();
      } catch (error) {
        return noneYet(error).buffer.toString();
      }
    },
    /** Reads everything until the writer has ended. */
    async readToEnd(ended: Promise<void>): Promise<readonly string[]> {
      let isOver = false;
      const over = ended.then(() => {
        isOver = true;
      });
      let text = '';
      for (;;) {
        // Checked before the read, which then finds everything that was written.
        const isLast = isOver;
        const { bytesRead, buffer } = await handle.read().catch(noneYet);
        text += buffer.subarray(0, bytesRead).toString();
        if (isLast && bytesRead === 0) break;
      }
      await over;
      return text.trimEnd().split('\n');
    },
    async [Symbol.asyncDispose]() {
      closeSync(fd);
      await handle.close();
      await rm(folder, { recursive: true });
    },
  };
}

function noneYet(error: unknown) {
  if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  return { bytesRead: 0, buffer: Buffer.alloc(0) };
}
