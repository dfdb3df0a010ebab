import { expect, it } from 'vitest';
import { runtimeQueries } from '../../../../src/service/telemetry/prometheus/runtimes.ts';

/** What is read of a server with these metrics: `memory of NAME, at most`, `gc of NAME`. */
const read = (...names: string[]) =>
  runtimeQueries(new Set(names)).map(
    ({ measure, name, limit }) =>
      `${measure} of ${name}${limit ? `, at most ${/\w+(?=\{)/u.exec(limit('1m'))?.[0]}` : ''}`,
  );

it.each([
  [
    'Micrometer',
    ['jvm_memory_used_bytes', 'jvm_memory_max_bytes', 'jvm_gc_pause_seconds_sum', 'jvm_gc_overhead'],
    [
      'memory of jvm_memory_used_bytes, at most jvm_memory_max_bytes',
      'gc of jvm_gc_overhead',
      'gc of jvm_gc_pause_seconds_sum',
    ],
  ],
  [
    'the JMX exporter',
    ['jvm_memory_pool_bytes_used', 'jvm_memory_pool_bytes_max', 'jvm_gc_collection_seconds_sum'],
    [
      'memory of jvm_memory_pool_bytes_used, at most jvm_memory_pool_bytes_max',
      'gc of jvm_gc_collection_seconds_sum',
    ],
  ],
  [
    'OpenTelemetry in Node.js',
    ['v8js_memory_heap_used_bytes', 'v8js_memory_heap_limit_bytes', 'v8js_gc_duration_seconds_sum'],
    [
      'memory of v8js_memory_heap_used_bytes, at most v8js_memory_heap_limit_bytes',
      'gc of v8js_gc_duration_seconds_sum',
    ],
  ],
  ['.NET', ['dotnet_gc_pause_time_seconds_total'], ['gc of dotnet_gc_pause_time_seconds_total']],
  [
    'prom-client, whose heap grows as it needs',
    ['nodejs_heap_size_used_bytes', 'nodejs_heap_size_total_bytes', 'nodejs_gc_duration_seconds_sum'],
    ['gc of nodejs_gc_duration_seconds_sum'],
  ],
  [
    'what runs beside the program',
    [
      'jvm_gc_concurrent_phase_time_seconds_sum',
      'go_cpu_classes_gc_total_cpu_seconds_total',
      'python_gc_collections_total',
    ],
    [],
  ],
])('reads %s', (_, names, expected) => {
  expect(read(...names)).toEqual(expected);
});
