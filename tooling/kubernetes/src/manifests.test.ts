import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { recordSkip } from '@gatehouse/fault-figures';
import { parseSettings, serverSettings } from '@gatehouse/server/settings';
import { describe, expect, test } from 'vitest';
import { build, builder, copyFolder, type Labels, type Manifest, readFolder, SECRETS } from './manifests.ts';
import { schemaProblems } from './schemas/validate.ts';

const WHY = 'neither kubectl nor kustomize is installed (apt-get install kubernetes-client, or kustomize)';
if (builder === undefined) recordSkip('docs/operate/kubernetes built by kustomize', WHY);

const DOCS = new URL('../../../docs/operate/', import.meta.url);
const PAGE = new URL('kubernetes.md', DOCS);
const EXAMPLE = new URL('kubernetes/overlays/example/kustomization.yaml', DOCS);

const FOLDERS = ['base', 'overlays/example'];
const isKustomization = (file: string) => file === 'kustomization.yaml';
const filesOf = (folder: string) => [...readFolder(folder)].filter(([file]) => !isKustomization(file));
const BASE = filesOf('base').flatMap(([, manifests]) => manifests);

function built(): readonly Manifest[] {
  using copy = copyFolder();
  return build(copy.example);
}

function of(manifests: readonly Manifest[], kind: string, name = 'gatehouse'): Manifest {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
  return found ?? expect.fail(`there is no ${kind} ${name}`);
}

const selects = (selector: Labels, labels: Labels) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

const podOf = ({ spec }: Manifest) => spec.template;
const containerOf = (manifest: Manifest) => podOf(manifest).spec.containers[0];

describe.each(FOLDERS)('in %s', (folder) => {
  test.each(filesOf(folder))('%s is as Kubernetes’ schemas say', (_, manifests) => {
    for (const manifest of manifests) expect(schemaProblems(manifest)).toEqual([]);
  });

  test('every file is a resource of the kustomization', () => {
    const [kustomization] = readFolder(folder).get('kustomization.yaml') ?? [];
    // The only manifest that is for kustomize and not for a cluster: its members are not those of the others.
    const { resources } = kustomization as unknown as { resources: string[] };
    const files = resources.filter((each) => !each.startsWith('..'));
    expect(files).toEqual(filesOf(folder).map(([file]) => file));
  });
});

test('a field that does not exist, a wrong type and a missing field are found', () => {
  const job = of(BASE, 'Job', 'gatehouse-migrate');
  const { selector: _, ...service } = of(BASE, 'Service').spec;
  const { template, ...deployment } = of(BASE, 'Deployment').spec;
  const wrong = [
    { ...job, spec: { ...job.spec, backofLimit: 1 } },
    { ...job, spec: { ...job.spec, backoffLimit: '6' } },
    { ...of(BASE, 'Deployment'), spec: deployment },
    { ...of(BASE, 'Service'), spec: { ...service, ports: [{ name: 'http' }] } },
    { ...job, apiVersion: 'batch/v2' },
  ];
  expect(wrong.map((each) => schemaProblems(each)[0])).toEqual([
    expect.stringContaining('"additionalProperty":"backofLimit"'),
    expect.stringContaining('/spec/backoffLimit must be integer'),
    expect.stringContaining('"missingProperty":"template"'),
    expect.stringContaining('"missingProperty":"port"'),
    'there is no schema of batch/v2 Job',
  ]);
});

describe('what belongs together', () => {
  const server = of(BASE, 'Deployment');
  const job = of(BASE, 'Job', 'gatehouse-migrate');
  const pods = [server, job].map(podOf);
  const { labels } = podOf(server).metadata;

  test('selectors find the pods of servers, and of nothing else', () => {
    const selectors = [
      server.spec.selector.matchLabels,
      of(BASE, 'Service').spec.selector,
      of(BASE, 'PodDisruptionBudget').spec.selector.matchLabels,
      ...podOf(server).spec.topologySpreadConstraints.map(
        ({ labelSelector }: { labelSelector: { matchLabels: Labels } }) => labelSelector.matchLabels,
      ),
    ];
    for (const selector of selectors) {
      expect(selects(selector, labels)).toBe(true);
      expect(selects(selector, podOf(job).metadata.labels)).toBe(false);
    }
  });

  test('network policies hold for servers and the migration', () => {
    for (const name of ['gatehouse-ingress', 'gatehouse-egress']) {
      const { podSelector } = of(BASE, 'NetworkPolicy', name).spec;
      for (const { metadata } of pods) expect(selects(podSelector.matchLabels, metadata.labels)).toBe(true);
    }
  });

  test('a network of trusted proxies, which has others in it, is said to need a proxy that replaces the field', () => {
    const kustomization = readFileSync(EXAMPLE, 'utf8');
    const [comment = ''] = /(?: +#.*\n)+(?= +- TRUST_PROXY=\S+\/\d)/.exec(kustomization) ?? [];
    expect(comment).toContain('must replace');
    const page = readFileSync(PAGE, 'utf8');
    const [section = ''] = /^## The clients' addresses$[\s\S]*?(?=^## )/m.exec(page) ?? [];
    expect(section.replace(/\s+/g, ' ')).toContain('must replace `X-Forwarded-For`');
  });

  test('the port for operations is reached from one namespace, and is in no Service', () => {
    const { ingress } = of(BASE, 'NetworkPolicy', 'gatehouse-ingress').spec;
    const froms = ingress
      .filter(({ ports }: { ports: { port: unknown }[] }) => ports.some(({ port }) => port !== 'http'))
      .map(({ from, ports }: { from: unknown; ports: unknown }) => ({ from, ports }));
    expect(froms).toEqual([
      {
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
        ports: [{ port: 'operations' }],
      },
    ]);
    expect(of(BASE, 'Service').spec.ports).toMatchObject([{ targetPort: 'http' }]);
  });

  test('probes, the Service and network policies name ports of the container', () => {
    const ports = new Map(
      containerOf(server).ports.map((port: { name: string; containerPort: number }) => [
        port.name,
        port.containerPort,
      ]),
    );
    expect([...ports]).toEqual([
      ['http', 8080],
      ['operations', 8081],
    ]);
    const { startupProbe, livenessProbe, readinessProbe } = containerOf(server);
    for (const [probe, path] of [
      [startupProbe, '/live'],
      [livenessProbe, '/live'],
      [readinessProbe, '/ready'],
    ]) {
      expect(probe.httpGet).toEqual({ path, port: 'operations' });
    }
  });

  test.each([server, job])('the pods of a $kind may do no more than the image does', (manifest) => {
    const { spec } = podOf(manifest);
    const dockerfile = readFileSync(fileURLToPath(new URL('../../../Dockerfile', import.meta.url)), 'utf8');
    const [, user, group] = /^USER (\d+):(\d+)$/m.exec(dockerfile) ?? [];
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: Number(user),
        runAsGroup: Number(group),
        fsGroup: Number(group),
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    expect(containerOf(manifest).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(spec.volumes).toMatchObject([{ secret: { secretName: 'gatehouse', defaultMode: 0o440 } }]);
  });

  test('a pod has time to end', () => {
    // The server takes ten seconds at most, by settings.ts.
    expect(podOf(server).spec.terminationGracePeriodSeconds).toBeGreaterThan(10);
  });
});

describe.skipIf(builder === undefined)('the example, built by kustomize', () => {
  const manifests = builder === undefined ? [] : built();

  test('is as Kubernetes’ schemas say, and stands in one namespace', () => {
    for (const manifest of manifests) {
      expect(schemaProblems(manifest)).toEqual([]);
      if (manifest.kind !== 'Namespace') expect(manifest.metadata.namespace).toBe('gatehouse');
    }
  });

  test('has settings that servers accept, and no other variables', () => {
    const settings = manifests.find(({ kind }) => kind === 'ConfigMap');
    expect(containerOf(of(manifests, 'Deployment')).envFrom).toEqual([
      { configMapRef: { name: settings?.metadata.name } },
    ]);
    const env: { name: string; value: string }[] = containerOf(of(manifests, 'Deployment')).env;
    const all = { ...Object.fromEntries(env.map(({ name, value }) => [name, value])), ...settings?.data };
    for (const name of Object.keys(all)) expect(serverSettings).toHaveProperty(name);
    const {
      DATABASE_URL_FILE: _,
      DATABASE_LISTEN_URL_FILE: __,
      GATEHOUSE_MASTER_KEY_FILE: ___,
      ...plain
    } = all;
    expect(parseSettings(plain)).toMatchObject({ ok: true });
    const [migration] = containerOf(of(manifests, 'Job', 'gatehouse-migrate')).env;
    expect(serverSettings).toHaveProperty(migration.name);
  });

  test('has the files that the settings name', () => {
    const secret = of(manifests, 'Secret');
    expect(Object.keys(secret.data ?? {}).toSorted()).toEqual(SECRETS.toSorted());
    for (const manifest of [of(manifests, 'Deployment'), of(manifests, 'Job', 'gatehouse-migrate')]) {
      const { env, volumeMounts } = containerOf(manifest);
      const [{ mountPath }] = volumeMounts;
      const files = SECRETS.map((name) => `${mountPath}/${name}`);
      for (const { value } of env) expect(files).toContain(value);
      const [{ secret: volume }] = podOf(manifest).spec.volumes;
      for (const { key, path } of volume.items ?? []) {
        expect(SECRETS).toContain(key);
        expect(env[0].value).toBe(`${mountPath}/${path}`);
      }
    }
  });

  test('keeps the name of the Secret, and the pods, when a secret is rotated', () => {
    expect(podOf(of(manifests, 'Deployment')).spec.volumes[0].secret.secretName).toBe('gatehouse');
  });

  test('gives servers and the migration the same image', () => {
    const images = [of(manifests, 'Deployment'), of(manifests, 'Job', 'gatehouse-migrate')].map(
      (each) => containerOf(each).image,
    );
    expect(images).toEqual(Array(2).fill('registry.example/gatehouse:1.2.0'));
  });

  test('leads the proxy to the Service, at the address of the pages', () => {
    const [rule] = of(manifests, 'Ingress').spec.rules;
    const settings = manifests.find(({ kind }) => kind === 'ConfigMap')?.data;
    expect(`https://${rule.host}`).toBe(settings?.PUBLIC_URL);
    const { service } = rule.http.paths[0].backend;
    const { metadata, spec } = of(manifests, 'Service');
    expect(service).toEqual({ name: metadata.name, port: { name: spec.ports[0].name } });
  });
});
