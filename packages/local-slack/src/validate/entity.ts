import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { actionId, line } from './elements.ts';
import { type Fault, faultsOf } from './explain.ts';

const ENTITY = 'slack#/entities/';
const label = z.string().min(1).optional();
const edit = z.record(z.string(), z.unknown()).optional();
const file = z.strictObject({ id: z.string().optional(), url: z.string().optional() });
const icon = z.strictObject({
  alt_text: z.string().min(1),
  url: z.string().optional(),
  slack_file: file.optional(),
});
const externalRef = z.strictObject({ id: line(LIMITS.entityRef), type: z.string().optional() });

/** What every field may have in addition to its value. */
const shown = {
  label,
  link: line(LIMITS.url).optional(),
  icon: icon.optional(),
  long: z.boolean().optional(),
  format: z.literal('markdown').optional(),
  tag_color: z.enum(['red', 'yellow', 'green', 'gray', 'blue']).optional(),
  edit,
};
const user = z.union([
  z.strictObject({ user_id: z.string().min(1) }),
  z.strictObject({
    text: z.string().min(1),
    url: z.string().optional(),
    email: z.string().optional(),
    icon: icon.optional(),
  }),
]);
const entityRef = z.strictObject({
  entity_url: line(LIMITS.url),
  external_ref: externalRef,
  title: z.string().min(1),
  display_type: z.string().optional(),
  icon: icon.optional(),
});
const typed = {
  ...shown,
  type: z.string().min(1),
  value: z.union([z.string(), z.number()]).optional(),
  image_url: z.string().optional(),
  slack_file: file.optional(),
  alt_text: z.string().optional(),
  user: user.optional(),
  entity_ref: entityRef.optional(),
};

const isTagOrIcon = (field: { icon?: unknown; tag_color?: unknown }) =>
  field.icon === undefined || field.tag_color === undefined;
const TAG_OR_ICON = { error: 'must have at most one of: icon, tag_color' };

const stringField = z
  .strictObject({ ...shown, value: z.string().min(1), type: z.literal('string').optional() })
  .refine(isTagOrIcon, TAG_OR_ICON);
const typedField = z.strictObject(typed).refine(isTagOrIcon, TAG_OR_ICON);
const dateField = z.strictObject({ value: z.int().positive(), label, type: z.string().optional(), edit });

const incidentFields = z.strictObject({
  status: stringField.optional(),
  severity: stringField.optional(),
  priority: stringField.optional(),
  urgency: stringField.optional(),
  created_by: typedField.optional(),
  assigned_to: typedField.optional(),
  date_created: dateField.optional(),
  date_updated: dateField.optional(),
  description: stringField.optional(),
  service: stringField.optional(),
});

const customField = z
  .strictObject({
    ...typed,
    key: line(LIMITS.actionId),
    label: z.string().min(1),
    type: z.enum([
      'array',
      'boolean',
      'integer',
      'slack#/types/channel_id',
      'slack#/types/date',
      'slack#/types/email',
      'slack#/types/entity_ref',
      'slack#/types/image',
      'slack#/types/link',
      'slack#/types/timestamp',
      'slack#/types/user',
      'string',
    ]),
    value: z.union([z.string(), z.number(), z.array(z.unknown())]).optional(),
    item_type: z.string().optional(),
    boolean: z.record(z.string(), z.unknown()).optional(),
  })
  .refine(isTagOrIcon, TAG_OR_ICON)
  .refine(({ type, value }) => type !== 'string' || (typeof value === 'string' && value !== ''), {
    error: 'must provide a string',
    path: ['value'],
  })
  .refine(
    ({ type, value }) => (type !== 'integer' && type !== 'slack#/types/timestamp') || Number.isInteger(value),
    { error: 'must provide an integer', path: ['value'] },
  );

const action = z.strictObject({
  text: line(LIMITS.buttonText),
  action_id: actionId.unwrap().min(1),
  value: z.string().max(LIMITS.buttonValue).optional(),
  style: z.enum(['primary', 'danger']).optional(),
  url: line(LIMITS.url).optional(),
  accessibility_label: line(LIMITS.accessibilityLabel).optional(),
  processing_state: z
    .strictObject({ enabled: z.boolean(), interstitial_text: z.string().optional() })
    .optional(),
});

const actions = z.strictObject({
  primary_actions: z.array(action).max(LIMITS.entityPrimaryActions).optional(),
  overflow_actions: z.array(action).max(LIMITS.entityOverflowActions).optional(),
});

const attributes = z.strictObject({
  title: z.strictObject({ text: z.string().min(1), edit }),
  display_type: z.string().min(1).optional(),
  display_id: z.string().min(1).optional(),
  product_icon: icon.optional(),
  product_name: z.string().min(1).optional(),
  locale: z.string().optional(),
  full_size_preview: z.record(z.string(), z.unknown()).optional(),
  metadata_last_modified: z.int().positive().optional(),
});

const payload = <T extends z.ZodType>(fields: T) =>
  z.strictObject({
    attributes,
    fields: fields.optional(),
    custom_fields: z
      .array(customField)
      .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, {
        error: 'keys of custom fields must be unique',
      })
      .optional(),
    slack_file: file.optional(),
    display_order: z.array(z.string().min(1)).optional(),
    actions: actions.optional(),
  });

const named = { url: z.url().max(LIMITS.url), external_ref: externalRef, app_unfurl_url: z.url().optional() };

const entity = z.discriminatedUnion('entity_type', [
  z.strictObject({
    ...named,
    entity_type: z.literal(`${ENTITY}incident`),
    entity_payload: payload(incidentFields),
  }),
  // The fields of these types are not checked further.
  z.strictObject({
    ...named,
    entity_type: z.enum(
      ['task', 'file', 'item', 'content_item', 'calendar_event'].map((one) => ENTITY + one),
    ),
    entity_payload: payload(z.record(z.string(), z.record(z.string(), z.unknown()))),
  }),
]);

/** A Work Object as an app describes it. */
export type Entity = z.infer<typeof entity>;
/** One of its buttons. */
export type EntityAction = z.infer<typeof action>;

/** A Work Object, or what is wrong with it. */
export function readEntity(value: unknown): { entity: Entity } | { faults: Fault[] } {
  const parsed = entity.safeParse(value);
  return parsed.success ? { entity: parsed.data } : { faults: faultsOf(parsed.error, value) };
}

/** The buttons of a Work Object, those of its menu last. */
export function actionsOf({ entity_payload: { actions: all } }: Entity): EntityAction[] {
  return [...(all?.primary_actions ?? []), ...(all?.overflow_actions ?? [])];
}
