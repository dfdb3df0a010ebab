import { expect, it } from 'vitest';
import { namesIn, sameAs } from '../../../src/service/agent/names.ts';

const DIRECTORY = [
  { name: 'checkout-api' },
  { name: 'payments', instances: ['10.0.6.1:8080'] },
  { name: 'payments-db' },
  { name: 'app-1' },
  { name: 'app-3' },
  { name: 'coredns' },
  { name: 'mysql-core-1.example' },
  { name: 'controller', aliases: ['ingress-nginx-controller'] },
  { name: 'redisd', instances: ['cache-2.example:9121', 'mysql-core-1.example:9121'] },
  { name: 'node', instances: ['app-3', 'cache-4.example:9100'] },
  { name: 'kubelet', instances: ['cache-4.example:10250'] },
];

it.each([
  ['is app-3 the reason', ['app-3'], 'is · the reason'],
  ['does payments-db call payments?', ['payments-db', 'payments'], 'does · call ·?'],
  ['why is checkout slow', ['checkout-api'], 'why is checkout slow'],
  ['is paymnets down', ['payments'], 'is · down'],
  ['wich rota is thier', [], 'which rota is thier'],
  ['is 10.0.6.1:8080 ok', ['payments'], 'is · ok'],
  ['connections of core-1', ['mysql-core-1.example'], 'connections of ·'],
  ['which service fails except payments', [], 'which service fails'],
  ['is ingress-nginx up', ['controller'], 'is · up'],
  ['keys of cache-2', ['redisd'], 'keys of ·'],
  ['keys of cache-4', [], 'keys of ·'],
  ['is app-9 ok', [], 'is · ok'],
  ['is app 3 ok', ['app-3'], 'is · ok'],
  ['is kube-system ok', [], 'is · ok'],
  ['is the core db ok', [], 'is the core db ok'],
  ['is redis ok', ['redisd'], 'is · ok'],
  ['is checkout-service ok', ['checkout-api'], 'is · ok'],
  ['is app ok', ['app-1', 'app-3'], 'is app ok'],
])('%s', (question, named, words) => {
  expect(namesIn(question, DIRECTORY)).toMatchObject({ named, words });
});

it('what it leaves out, and whose address it is, is known', () => {
  expect(namesIn('errors of 10.0.6.1:8080 except of payments-db', DIRECTORY)).toMatchObject({
    except: ['payments-db'],
    instance: { name: '10.0.6.1:8080', service: 'payments' },
  });
});

it('the question has each name as telemetry has it', () => {
  const { question, named } = namesIn('is core-1 or cache-2 worse', DIRECTORY);
  expect(question).toBe('is mysql-core-1.example or redisd worse');
  expect(named).toEqual(['mysql-core-1.example', 'redisd']);
});

it('whose part a name is, is known by a part of it, and a service is none of another', () => {
  const instanceOf = (question: string) => namesIn(question, DIRECTORY).instance;
  expect(instanceOf('is cache-2 ok')).toEqual({ name: 'cache-2.example:9121', service: 'redisd' });
  for (const question of ['is app-3 ok', 'is core-1 ok', 'is cache-4 ok', 'is ingress-nginx-controller ok'])
    expect(instanceOf(question)).toBeNull();
});

it.each([
  ['did any1 touch it', 'did anyone touch it'],
  ['what changed b4 that', 'what changed before that'],
  ['p99 of db2', 'p99 of db2'],
  ['whos hit', 'who is hit'],
])('%s is read as it is spoken', (text, question) => {
  expect(namesIn(text, []).question).toBe(question);
});

it('a word of the sentence is no part of a name', () => {
  const directory = [{ name: 'notify' }, { name: 'be_booking' }];
  expect(namesIn('so is it the deploy or not?', directory).named).toEqual([]);
  expect(namesIn('could it be dns', directory).named).toEqual([]);
});

it('a machine, what runs on it and what its logs and changes name are the same', () => {
  const directory = [...DIRECTORY, { name: 'mysql-core' }, { name: 'cache' }];
  expect(sameAs('mysql-core-1.example', directory)).toEqual(['mysql-core-1.example', 'mysql-core']);
  expect(sameAs('redisd', directory)).toEqual(['redisd', 'mysql-core', 'cache']);
  expect(sameAs('payments-db', directory)).toEqual(['payments-db']);
});
