import { expect, it } from 'vitest';
import { routeOf } from '../../../src/service/agent/answer.ts';

const SERVICES = ['web', 'cart', 'checkout-api', 'payments', 'customer-orders', 'deploy-bot', 'log-router'];

/** What people ask, by the tool that answers first or second. */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  logs: [
    'tail the logs of web',
    'last 20 log lines from cart',
    'search for "timeout" in payments since 13:00',
    'grep OutOfMemory in cart',
    'what errors does web log most often',
    'show warnings from log-router between 10:00 and 10:30',
    'find the stack trace of the NullPointerException in payments',
    'give me all error messages of cart today',
    'output of deploy-bot in the last 10 minutes',
    'anything suspicious in the logs of cart around 11:30?',
    'does payments log any timeouts',
    'what is web complaining about in its logs',
    'show the last errors of payments with context',
    'how many times did payments log "deadlock"',
  ],
  metric: [
    'what is the p99 latency of cart',
    'how many requests does payments get',
    'top 5 services by traffic',
    'cpu of payments since 14:00',
    'payments_queue_depth',
    'queue depth of payments in the last hour',
    'how many connections are open in the pool of payments',
    'what is the median response time of customer-orders',
    'is the error rate of payments above 5%',
    'give me disk usage for all hosts',
  ],
  traces: [
    'show me a failing trace',
    'which requests took longer than 2 s',
    'slowest requests of checkout-api',
    'where is the time spent in checkout-api',
    'open trace 4bf92f3577b34da6a3ce929d0e0e4736',
    'example of a slow request through web',
    'what are the longest spans in payments',
    'show traces with errors from payments in the last 15 min',
    'find me a request that failed in payments',
    'why was trace 4bf92f3577b34da6a3ce929d0e0e4736 so slow',
    'where do requests to web spend their time',
  ],
  changes: [
    'what changed before the alert',
    'who deployed payments',
    'was there a deploy in the last 30 min',
    'which version of cart is running',
    'recent releases of web',
    'anything merged or rolled out today',
    'list config changes since yesterday',
    'when did cart last change',
    'who merged what before this started',
    'list everything that was rolled back this week',
    'did we release anything before 13:00',
    'has config of web changed',
    'latest deploy?',
  ],
  dependencies: [
    'what depends on payments',
    'show me the service map',
    'upstream services of cart',
    'does web use payments',
    'who are the callers of payments',
    'which services do you know',
    'downstreams of checkout-api',
    'what breaks if payments goes down',
    "what's upstream of cart",
    'is web calling cart',
    'who consumes payments',
    'list the services',
  ],
  health: [
    "what's wrong with payments",
    'is it over?',
    'is it still happening',
    'what caused the outage',
    'is everything fine?',
    'how is cart doing',
    'any problems?',
    'web is slow',
    'payments keeps timing out, why',
    'explain the spike in errors of web at 14:00',
    "what's going on with checkout-api",
    'is the site down',
    'is the problem gone',
    'is this still going on',
    'which services are unhealthy',
    'what is the root cause of the errors in web',
    'is payments down or just slow',
    'which services are unhealthy',
  ],
  advice: [
    'what should I do',
    'how do I fix this',
    'next steps?',
    'should we roll back payments',
    'is it safe to restart cart',
    'is there a runbook for this',
    'what do you recommend',
    'how to stop the bleeding',
    'how do we get out of this',
    "what's the fix",
    'what should we do next',
    'suggest a mitigation',
  ],
  issues: [
    'list open issues in staging',
    'what fixed it last time',
    'any alerts firing',
    'how many incidents this week',
    'is this related to #3',
    'which issues are muted',
    'show similar incidents',
    'when did this last happen',
    'how often does this alert fire',
    'how was it fixed before',
    'when was the last time this happened',
    'is there an open incident for web',
  ],
  help: [
    'hello',
    'hi, what can you see here?',
    'help',
    'thanks!',
    'restart payments',
    'roll back web now',
    'delete the pod',
    'what questions can I ask',
    'what are you connected to',
    'what are you able to do',
    'good morning!',
    'please restart web',
    'hey there',
  ],
};

/** The same with a Kubernetes cluster connected. */
const ASKED_OF_CLUSTER: Readonly<Record<string, readonly string[]>> = {
  state: [
    'how many pods are running in the checkout namespace?',
    'list all deployments in namespace shop',
    'which pods use the image nginx:1.25',
    'what pods are crashing',
    'count the pods in every namespace',
    "what's the status of the customer-orders deployment",
    'did any container get OOMKilled',
    'pods not ready?',
    'which workloads have no readiness probe',
    'how many nodes are there',
    'list pods in namespace payments-prod',
    'which deployments are not fully rolled out',
    'is the ingress of web healthy',
    'get pods',
    'are there pods in CrashLoopBackOff',
    'which node runs web',
  ],
  health: [
    'what is the issue with customer-orders?',
    'high latency with the customer-orders deployment',
    'why is web slow',
    'why is web slow',
  ],
  metric: [
    'show me the cpu usage of the payments pods',
    'graph memory of cart over the last 3 hours',
    'memory usage per pod for cart',
  ],
  logs: [
    'show the logs of the payments pod',
    'find errors in the log of the pods in namespace shop',
    'which pod logged "connection refused"',
    "was there any 'lease lost' problem reported for the cart pod in namespace shop?",
    'logs of the web deployment',
    'kubectl logs for cart',
  ],
  traces: ['show traces of checkout-api that are slower than 1s'],
  changes: [
    'what changed in the cluster in the last hour',
    'when was the last deployment of payments',
    'was the web deployment updated recently',
  ],
  dependencies: ['which services does payments talk to'],
};

const NOT_OURS = [
  'why is the sky blue?',
  'who owns payments?',
  'write a status update',
  'who is on call',
  'tell me a joke',
  "what's the weather in Berlin",
  'translate this to German',
  'what time is it',
  'who should I call',
  'what is the capital of France',
  'draft a postmortem',
  'book a meeting room',
  "who's the manager of payments",
  'how old are you',
  "what's 2+2",
  'order a pizza',
  'who wrote this bot',
  'remind me tomorrow',
];

/** Whatever an order is about, it is one. */
const ORDERS = [
  'restart the web deployment please',
  'scale the cart pods to 5',
  'roll back the payments deployment',
];

it.each(ORDERS)('an order: %s', (order) => {
  expect(routeOf(order, SERVICES, true).tools).toEqual(['help']);
});

const cases = (asked: typeof ASKED) =>
  Object.entries(asked).flatMap(([tool, questions]) =>
    questions.map((question) => [tool, question] as const),
  );

it.each(cases(ASKED))('%s: %s', (tool, question) => {
  expect(routeOf(question, SERVICES, false).tools.slice(0, 2)).toContain(tool);
});

it.each(cases(ASKED_OF_CLUSTER))('with a cluster, %s: %s', (tool, question) => {
  expect(routeOf(question, SERVICES, true).tools.slice(0, 2)).toContain(tool);
});

it.each(NOT_OURS)('not understood: %s', (question) => {
  expect(routeOf(question, SERVICES, false)).toEqual({ tools: [], understood: false });
});
