import { expect, test } from 'vitest';
import type { z } from 'zod';
import {
  Artifact,
  DataPoint,
  Exemplar,
  KeyValue,
  MetricData,
} from '../../../../src/contract/schema/artifact.ts';
import { ERROR_TYPES, ErrorBody } from '../../../../src/contract/schema/error.ts';
import {
  ISSUE_SEVERITIES,
  ISSUE_STATUSES,
  IssueAddress,
  IssueByNumber,
  IssueContext,
  IssueCreate,
  IssueCreated,
  IssueDetail,
  IssueFilter,
  IssuePage,
  IssueSeverity,
  IssueStatus,
  IssueSummary,
  IssueVersion,
  Seed,
} from '../../../../src/contract/schema/issue.ts';
import { QueryArtifact, QueryRequest, QueryResponse } from '../../../../src/contract/schema/query.ts';
import {
  ArtifactRef,
  CausalTree,
  CausalTreeV2,
  Evidence,
  InvestigationResults,
  Remediation,
  RemediationAction,
  RemediationStep,
  RootCause,
  TimelineEntry,
} from '../../../../src/contract/schema/results.ts';

/** The fields of an object's schema; those that must be there bear a `!`. */
function fieldsOf(schema: z.ZodObject): string {
  const mark = (field: string): string => (schema.shape[field]?.safeParse(undefined).success ? '' : '!');
  return Object.keys(schema.shape)
    .map((field) => `${field}${mark(field)}`)
    .join(' ');
}

test.each([
  [
    '2.1 issue summary',
    IssueSummary,
    'uuid! number! title! description! severity! status! environment! triggeredAt! seedCount!',
  ],
  [
    '2.2 issue detail',
    IssueDetail,
    'uuid! number! title description severity status! environment triggeredAt createdAt updatedAt seedCount seeds latestVersion versions',
  ],
  [
    '2.3 seed',
    Seed,
    'publicUuid seedType provider providerReferenceId title description tags triggeredAt link query rawPayload',
  ],
  ['2.4 version', IssueVersion, 'uuid version status description'],
  ['2.5 creation', IssueCreate, 'title! description! environment! severity triggeredAt context'],
  [
    '2.5 context',
    IssueContext,
    'alertUrl service traceId spanId errorType errorMessage host region version tags metadata',
  ],
  [
    '2.6 creation response',
    IssueCreated,
    'uuid! number! status! title description severity createdAt updatedAt triggeredAt latestVersion environment',
  ],
  ['2.7 results', InvestigationResults, 'sessionUuid rootCause causalTree causalTreeV2 remediation timeline'],
  ['2.7 rootCause', RootCause, 'id incidentOverview rootCauseSummary relevantEvidence irrelevantEvidence'],
  ['2.7 evidence', Evidence, 'title status description confidence artifacts'],
  ['2.7 artifact reference', ArtifactRef, 'documentId title description dataType'],
  ['2.7 causalTree', CausalTree, 'nodes edges'],
  ['2.7 causalTreeV2', CausalTreeV2, 'nodes edges'],
  ['2.7 remediation', Remediation, 'actions'],
  ['2.7 action', RemediationAction, 'id uuid title description category markdownPrompt steps'],
  ['2.7 step', RemediationStep, 'id title required type content helpMarkdown label'],
  ['2.7 timeline', TimelineEntry, 'id type timestamp title description evidence'],
  ['2.8 artifact', Artifact, 'id provider providerUrl summary createdAt updatedAt type data'],
  ['2.8 metric', MetricData, 'metricType name description unit dataPoints'],
  ['2.8 data point', DataPoint, 'attributes startTimeUnixNano timeUnixNano asDouble asInt exemplars flags'],
  ['2.8 attribute', KeyValue, 'key value'],
  ['2.8 exemplar', Exemplar, 'filteredAttributes timeUnixNano asDouble asInt spanId traceId'],
  ['2.9 query response', QueryResponse, 'conversation_id answer artifacts'],
  ['2.9 query artifact', QueryArtifact, 'id tool_name data_type provider summary'],
  ['2.10 list', IssuePage, 'object! data! has_more! after before'],
  ['4.1 filter of the list', IssueFilter, 'limit startingAfter endingBefore status environment search'],
  ['4.4 issue in a path', IssueAddress, 'id! version'],
  ['4.5 number in a path', IssueByNumber, 'number!'],
  ['4.9 query', QueryRequest, 'question! conversation_id stream'],
  ['7 error body', ErrorBody, 'type! message! request_id! details'],
])('%s has the fields of the contract, and requires what it marks', (_, schema, fields) => {
  expect(fieldsOf(schema)).toBe(fields);
});

test('the nodes and edges of both trees have the fields of the contract', () => {
  const tree = {
    nodes: [{ id: 'n', type: 'validated', title: 't', description: 'd', expandedContent: 'e' }],
    edges: [{ id: 'e', source: 'n', target: 'n' }],
  };
  const v2 = {
    nodes: [{ id: 'n', title: 't', description: 'd', confidence: 'high', nodeType: 'outcome', evidence: [] }],
    edges: [{ from: 'n', to: 'n', confidence: 0.5 }],
  };
  expect([CausalTree.parse(tree), CausalTreeV2.parse(v2)]).toEqual([tree, v2]);
  expect(CausalTree.safeParse({ edges: [{ source: 1 }] }).success).toBe(false);
  expect(CausalTreeV2.safeParse({ edges: [{ confidence: 'high' }] }).success).toBe(false);
});

test('the named values are those of the contract, and others pass', () => {
  expect({ ISSUE_STATUSES, ISSUE_SEVERITIES, ERROR_TYPES }).toEqual({
    ISSUE_STATUSES: ['investigating', 'ready_to_fix', 'resolved', 'muted'],
    ISSUE_SEVERITIES: ['low', 'medium', 'high'],
    ERROR_TYPES: ['api_error', 'invalid_request_error', 'authentication_error'],
  });
  expect([IssueStatus.parse('paused'), IssueSeverity.parse('critical')]).toEqual(['paused', 'critical']);
});

test('what we send keeps to the bounds of the contract', () => {
  const body = { title: 'a', description: 'b', environment: 'c' };
  const accepted = (more: object): boolean => IssueCreate.safeParse({ ...body, ...more }).success;
  expect(accepted({ title: 'x'.repeat(500), triggeredAt: '2026-03-17T12:00Z' })).toBe(true);
  expect(accepted({ title: 'x'.repeat(501) })).toBe(false);
  expect(['title', 'description', 'environment'].map((field) => accepted({ [field]: '' }))).toEqual([
    false,
    false,
    false,
  ]);
  expect(accepted({ severity: 'critical' })).toBe(false);
  expect(accepted({ triggeredAt: '2026-03-17T12:00+01:00' })).toBe(false);
});
