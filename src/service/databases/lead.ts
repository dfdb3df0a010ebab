import type { Service } from '../telemetry/model.ts';
import { comparableName } from '../telemetry/same-name.ts';
import type { View } from '../telemetry/view.ts';
import type { NamedDatabase } from './databases.ts';
import type { SystemName } from './settings.ts';

/** A database that something leads to, and what. */
export interface Led {
  name: string;
  why: string;
}

/** From where one may come to a database. */
export interface Leads {
  view: View;
  /** The alert in words, the values of its labels, and its rule's expression. */
  text: string;
  labels: Readonly<Record<string, string>>;
  expression: string | null;
  /** The services that the alert is about, and where the verdict sees the cause. */
  places: readonly string[];
  /** Failing services whose trouble nothing explains yet: what they call may. */
  unexplained: readonly string[];
  /** Whether they say that they wait for something, or cannot connect. */
  waits: boolean;
}

/** So many are looked into for one verdict. */
const MOST = 3;
/** With so few, none of which is known to be called, each may be meant. */
const FEW = 5;

/** The databases that a verdict or an alert leads to, the surest first; none where nothing does. */
export function ledTo(all: readonly NamedDatabase[], leads: Leads): Led[] {
  const { view, places, unexplained } = leads;
  const servicesOf = new Map(all.map((one) => [one.name, new Set(namesIn(view, one, all))]));
  const is = (one: NamedDatabase, services: readonly string[]) =>
    services.some((service) => servicesOf.get(one.name)?.has(service));
  const called = unexplained.flatMap((service) => view.node(service)?.calls ?? []);
  const found = [
    ...all
      .filter((one) => is(one, places))
      .map(({ name }) => ({ name, why: 'the verdict sees the cause there, or the alert is about it' })),
    ...all.filter((one) => isNamed(one, leads, all)).map(({ name }) => ({ name, why: 'the alert names it' })),
    ...all.filter((one) => is(one, called)).map(({ name }) => ({ name, why: 'what fails calls it' })),
  ];
  // Calls to a database are often not known, where other calls are.
  const isUnknown =
    found.length === 0 && unexplained.length > 0 && (view.snapshot.edges.length === 0 || leads.waits);
  if (isUnknown && all.length <= FEW)
    return all.map(({ name }) => ({
      name,
      why: 'something fails, nothing shows why, and what it calls is not known',
    }));
  return [...new Map(found.toReversed().map((one) => [one.name, one])).values()].reverse().slice(0, MOST);
}

/** By which the metrics of the usual exporters, and people, know each. */
const PRODUCTS: Readonly<Record<SystemName, RegExp>> = {
  postgres: /^(?:pg_|postgres)|(?<![a-z])(?:pg|postgres(?:ql)?)(?![a-z])/iu,
  mysql: /^mysql_|(?<![a-z])(?:mysql|mariadb)(?![a-z])/iu,
  redis: /^redis_|(?<![a-z])(?:redis|valkey)(?![a-z])/iu,
  rabbitmq: /^rabbitmq_|(?<![a-z])rabbit(?:mq)?(?![a-z])/iu,
};
/** A name that begins with a product: `RabbitmqTooManyMessagesInQueue`, `rabbitmq_queue_messages`. */
const PRODUCT_BEGINS: Readonly<Record<SystemName, RegExp>> = {
  postgres: /(?<![a-z])(?:pg_|postgres)/iu,
  mysql: /(?<![a-z])(?:mysql|mariadb)/iu,
  redis: /(?<![a-z])(?:redis|valkey)/iu,
  rabbitmq: /(?<![a-z])rabbit/iu,
};

/** All that a configured database is called, as names are compared. */
function namesOf({ name, host, port, database, system }: NamedDatabase): Set<string> {
  const isName = /[a-z]/iu.test(host) && host !== 'localhost';
  const names = [
    name,
    `${host}:${port}`,
    ...(isName ? [host, host.split('.')[0] ?? host] : []),
    ...(database !== null && (system === 'postgres' || system === 'mysql') ? [database] : []),
  ];
  return new Set(names.map(comparableName));
}

/** The services of telemetry that are this database. */
function namesIn(view: View, one: NamedDatabase, all: readonly NamedDatabase[]): string[] {
  const names = namesOf(one);
  const isCalled = (text: string) => names.has(comparableName(text.replace(/^\w+:\/\//u, '')));
  const found = view
    .services()
    .filter(
      (service) =>
        [service.name, ...service.aliases, ...(service.instances ?? [])].some(isCalled) ||
        view.series(service.name).some(({ labels }) => Object.values(labels).some(isCalled)),
    )
    .map(({ name }) => name);
  return [...new Set([...found, ...(isOnlyOne(one, all) ? productIn(view, one.system) : [])])];
}

function isOnlyOne({ system }: NamedDatabase, all: readonly NamedDatabase[]): boolean {
  return all.filter((other) => other.system === system).length === 1;
}

/** The services that are of a product by their metrics or names, if they are all of one exporter; else which is meant is not known. */
function productIn(view: View, system: SystemName): string[] {
  const services = view.services().filter((service) => isOfProduct(view, service, system));
  const exporters = new Set(services.flatMap(({ instances = [] }) => instances));
  return exporters.size <= 1 ? services.map(({ name }) => name) : [];
}

function isOfProduct(view: View, { name }: Service, system: SystemName): boolean {
  const product = PRODUCTS[system];
  return (
    product.test(name) ||
    view
      .series(name)
      .some(({ signal }) => PRODUCT_BEGINS[system].test(signal.name) && product.test(signal.name))
  );
}

/** Whether the alert itself names it: by its name or address, or as the only one of its product. */
function isNamed(
  one: NamedDatabase,
  { text, labels, expression, view }: Leads,
  all: readonly NamedDatabase[],
): boolean {
  const names = namesOf(one);
  const words = text.toLowerCase().match(/[\p{L}\d][\p{L}\d._:-]*/gu) ?? [];
  const values = Object.values(labels).map((value) => value.replace(/^\w+:\/\//u, ''));
  if (values.some((value) => names.has(comparableName(value)))) return true;
  // A name such as `orders` is a word of many alerts: in words only an address, or the name with its product, counts.
  if (words.some((word) => word.includes('.') && names.has(comparableName(word)))) return true;
  const isProduct = PRODUCT_BEGINS[one.system].test(`${text} ${expression ?? ''}`);
  if (!isProduct) return false;
  if (words.some((word) => names.has(comparableName(word)))) return true;
  const exporters = new Set(
    view
      .services()
      .filter((service) => isOfProduct(view, service, one.system))
      .flatMap(({ instances = [] }) => instances),
  );
  return isOnlyOne(one, all) && exporters.size <= 1;
}
