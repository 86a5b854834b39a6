import { readdirSync, readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { createMemoryCli } from '../testing/memory-cli.ts';
import { replay } from '../testing/replay.ts';
import { describedCommands, pathOf } from './reference.ts';

// The output of commands is compared byte for byte with the transcripts in recorded-outputs/. Standard output and exit
// statuses are an interface for programs. Each transcript begins with an empty store. To add a command, write its line
// there; to record an intended change, run `vitest run apps/cli/src/recorded-outputs.test.ts --update`.

const FOLDER = new URL('recorded-outputs/', import.meta.url);
const TRANSCRIPTS = readdirSync(FOLDER).map((file): readonly [string, string] => [
  file,
  readFileSync(new URL(file, FOLDER), 'utf8'),
]);

test.each(TRANSCRIPTS)('what the commands of %s print is what was recorded', async (file, transcript) => {
  vi.stubEnv('GATEHOUSE_AS', '');
  const cli = createMemoryCli();
  const replayed = await replay(cli, transcript);
  expect(cli.openCount(), 'everything that was opened is closed, also after a refusal').toBe(0);
  await expect(replayed).toMatchFileSnapshot(`recorded-outputs/${file}`);
});

test('every command with output for programs is recorded, in each of its formats', async () => {
  const recorded = TRANSCRIPTS.flatMap(
    ([, transcript]) => transcript.match(/(?<=^\$ gatehouse ).*$/gm) ?? [],
  );
  // Extensions test their output themselves.
  const forms = (await describedCommands([])).flatMap((command) =>
    command.options
      .filter(({ long }) => long === '--json' || long === '--jsonl')
      .map(({ long }) => [pathOf(command).replace(/^gatehouse /, ''), long] as const),
  );
  expect(forms.length).toBeGreaterThan(30);
  const missing = forms.filter(
    ([path, option = '']) =>
      !recorded.some((line) => line.startsWith(path) && line.split(' ').includes(option)),
  );
  expect(missing).toEqual([]);
});
