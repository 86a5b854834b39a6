// The command line, as tooling/bundle bundles it.
void import('../src/run-process.ts').then(({ runProcess }) => runProcess());
