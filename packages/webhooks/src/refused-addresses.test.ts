import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { parseReceiver } from './check-address.ts';
import { createNetworks } from './networks.ts';
import { parseOpenNetworks } from './open-networks.ts';

const rules = (opened: readonly string[] = []) => ({
  networks: opened.length === 0 ? undefined : createNetworks(opened),
  allowHttp: true,
});

/** Spellings with which attackers have reached inner networks, and one address of each reserved network. */
const INNER = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.255.255.254/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0x0.0x0.0x1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.0.0.1./',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http://①②⑦.⓪.⓪.①/',
  'http://%31%32%37.0.0.1/',
  'http:\\\\127.0.0.1\\',
  'http:127.0.0.1',
  'http:///127.0.0.1/',
  ' \thttp://127.0.\n0.1/ ',
  'http://127.0.0.1:80\\@hooks.example/',
  'http://0/',
  'http://0.0.0.0/',
  'http://10.0.0.1/',
  'http://012.0.0.1/',
  'http://100.64.0.1/',
  'http://100.127.255.254/',
  'http://169.254.0.1/',
  'http://172.16.0.1/',
  'http://172.31.255.254/',
  'http://192.0.0.1/',
  'http://192.0.2.1/',
  'http://192.88.99.1/',
  'http://192.168.1.1/',
  'http://3232235777/',
  'http://198.18.0.1/',
  'http://198.19.255.254/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://224.0.0.1/',
  'http://239.255.255.250/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[0000:0000:0000:0000:0000:0000:0000:0001]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[0:0:0:0:0:ffff:7f00:0001]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[100::1]/',
  'http://[2001::1]/',
  'http://[2001:0:53aa:64c:0:0:80ff:fffe]/',
  'http://[2001:10::1]/',
  'http://[2001:20::1]/',
  'http://[2001:db8::1]/',
  'http://[2002:7f00:1::1]/',
  'http://[2002:808:808::1]/',
  'http://[3fff::1]/',
  'http://[5f00::1]/',
  'http://[fc00::1]/',
  'http://[fd12:3456:789a::1]/',
  'http://[fe80::1]/',
  'http://[febf::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
];

const METADATA = [
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://169.254.170.2/',
  'http://[fd00:42::42]/',
  'http://[fd00:ec2::254]/',
  'http://[fd20:ce::254]/',
  'http://[fe80::a9fe:a9fe]/',
  'http://100.100.100.200/',
  'http://192.0.0.192/',
  'http://168.63.129.16/',
];

const PUBLIC = [
  'https://8.8.8.8/',
  'https://1.1.1.1/',
  'https://100.63.255.255/',
  'https://172.15.0.1/',
  'https://172.32.0.1/',
  'https://192.167.255.255/',
  'https://223.255.255.255/',
  'https://[2606:4700:4700::1111]/',
  'https://[2a00:1450:4001:82a::200e]/',
  'https://[2001:4860:4860::8888]/',
];

describe('the address of a receiver', () => {
  test.each([...INNER, ...METADATA])('%o is refused', (text) => {
    expect(parseReceiver(text, rules())).toMatchObject({ ok: false });
  });

  test.each(PUBLIC)('%o is public', (text) => {
    expect(parseReceiver(text, rules())).toMatchObject({ ok: true });
  });

  test('in a network that the operator opened is accepted, and no other one is', () => {
    const opened = rules(['10.1.0.0/16', 'fd12::/16']);
    for (const text of ['http://10.1.2.3/', 'http://0x0a010203/', 'http://[fd12::7]/'])
      expect(parseReceiver(text, opened)).toMatchObject({ ok: true });
    for (const text of ['http://10.2.0.1/', 'http://[fd13::7]/', 'http://[::ffff:10.1.2.3]/'])
      expect(parseReceiver(text, opened)).toMatchObject({ ok: false });
  });

  test('of this machine is refused, also if it is public', () => {
    const rest = { netmask: '', mac: '', internal: false, cidr: null };
    const eth0: NetworkInterfaceInfo[] = [
      { ...rest, address: '8.8.4.4', family: 'IPv4' },
      { ...rest, address: '2a00:1450:4001::5', family: 'IPv6', scopeid: 0 },
    ];
    const own = (opened?: readonly string[]) => ({ ...rules(opened), interfaces: () => ({ eth0 }) });
    for (const text of ['https://8.8.4.4:8081/', 'https://[2a00:1450:4001:0::5]/']) {
      expect(parseReceiver(text, own())).toMatchObject({ ok: false });
      expect(parseReceiver(text, own(['8.8.4.4/32', '2a00:1450:4001::5/128']))).toMatchObject({ ok: true });
    }
    expect(parseReceiver('https://8.8.8.8/', own())).toMatchObject({ ok: true });
  });

  test('behind an opened NAT64 gateway is refused if it is inner', () => {
    const opened = rules(['64:ff9b::/96']);
    expect(parseReceiver('https://[64:ff9b::8.8.8.8]/', opened)).toMatchObject({ ok: true });
    expect(parseReceiver('https://[64:ff9b::10.0.0.1]/', opened)).toMatchObject({ ok: false });
  });

  test.each(METADATA)('%o is refused even if every network is open', (text) => {
    expect(parseReceiver(text, rules(['0.0.0.0/0', '::/0']))).toMatchObject({ ok: false });
  });

  test('needs https unless the operator allows http', () => {
    const https = { networks: undefined, allowHttp: false };
    expect(parseReceiver('http://hooks.example/', https)).toMatchObject({
      ok: false,
      error: expect.stringContaining('WEBHOOK_HTTP=allow'),
    });
    expect(parseReceiver('https://hooks.example/', https)).toMatchObject({ ok: true });
    for (const scheme of ['ftp', 'file', 'gopher', 'javascript', 'data', 'ws'])
      expect(parseReceiver(`${scheme}://hooks.example/`, rules())).toMatchObject({ ok: false });
  });
});

describe('the networks that an operator opens', () => {
  test.each(['10.0.0.0/8', ' 127.0.0.0/8 , ::1/128', 'fd00::/8'])('%o are networks', (text) => {
    expect(parseOpenNetworks(text)).toMatchObject({ ok: true });
  });

  test.each([
    '',
    '10.0.0.0',
    '10.0.0.0/33',
    '::/129',
    'fe80::1%eth0/64',
    '10.0.0.0/8/8',
    'inner/8',
    '10.0.0.0/8,',
  ])('%o are not', (text) => {
    expect(parseOpenNetworks(text)).toMatchObject({ ok: false });
  });
});
