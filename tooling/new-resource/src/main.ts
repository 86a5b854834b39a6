import { make } from './make.ts';
import { parseOptions, RefusedError, USAGE } from './options.ts';
import { planResource } from './plan.ts';
import { reportOf } from './report.ts';

// npm run new: makes a package for a resource of your own.
try {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) console.log(USAGE);
  else {
    const plan = await planResource(options.names);
    if (!options.dryRun) make(plan);
    console.log(reportOf(plan));
    if (options.dryRun) console.error('Nothing was written.');
  }
} catch (error) {
  if (!(error instanceof RefusedError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
