// Slack's limits, written down a second time from its documents, so that a mistake in the renderers' own
// table shows.

interface Message {
  text: string;
  blocks: readonly object[];
}

type Path = string;

/** What in a message Slack would refuse, one sentence each; empty for a message that it takes. */
export function limitProblems(message: Message): string[] {
  const problems: string[] = [];
  const claim = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(problem);
  };
  claim(message.text.trim() !== '', 'text is empty');
  claim(Buffer.byteLength(message.text) <= 4000, 'text is longer than chat.update takes');
  claim(message.text.isWellFormed(), 'text has half a surrogate pair');
  claim(message.blocks.length >= 1 && message.blocks.length <= 50, `${message.blocks.length} blocks`);
  const cost = allStrings(message.blocks).reduce((sum, [path, text]) => sum + counted(path, text), 0);
  const headers = message.blocks.filter((block) => stringAt(block, 'type') === 'header').length;
  claim(cost + 100 * headers <= 13_200, `the message counts ${cost + 100 * headers}`);
  const markdown = message.blocks.filter((block) => stringAt(block, 'type') === 'markdown');
  const together = markdown.reduce((sum, block) => sum + stringAt(block, 'text').length, 0);
  claim(together <= 12_000, `${together} characters of Markdown together`);
  const charts = message.blocks.filter((block) => stringAt(block, 'type') === 'data_visualization');
  claim(charts.length <= 2, `${charts.length} charts`);
  for (const [index, block] of message.blocks.entries()) blockProblems(block, `blocks[${index}]`, claim);
  for (const [path, text] of allStrings(message.blocks)) {
    claim(text.isWellFormed(), `${path} has half a surrogate pair`);
  }
  return problems;
}

function blockProblems(block: object, path: Path, claim: (holds: boolean, problem: string) => void): void {
  const type = stringAt(block, 'type');
  if (type === 'section') {
    const fields = listAt(block, 'fields');
    claim('text' in block || fields.length > 0, `${path} has neither text nor fields`);
    if ('text' in block) claim(isText(block.text, 3000), `${path}.text`);
    if ('fields' in block)
      claim(fields.length >= 1 && fields.length <= 10, `${path} has ${fields.length} fields`);
    for (const field of fields) claim(isText(field, 2000), `${path}.fields`);
    if ('accessory' in block) pressProblems(objectAt(block, 'accessory'), path, claim);
  } else if (type === 'context') {
    const elements = listAt(block, 'elements');
    claim(elements.length >= 1 && elements.length <= 10, `${path} has ${elements.length} elements`);
    for (const element of elements) claim(isText(element, 3000), `${path}.elements`);
  } else if (type === 'header') {
    claim('text' in block && isText(block.text, 150), `${path}.text`);
  } else if (type === 'image') {
    const alt = stringAt(block, 'alt_text').length;
    claim(alt >= 1 && alt <= 2000, `${path} has ${alt} characters of alt text`);
  } else if (type === 'markdown') {
    const length = stringAt(block, 'text').length;
    claim(length >= 1 && length <= 12_000, `${path} has ${length} characters of Markdown`);
  } else if (type === 'actions') {
    const elements = listAt(block, 'elements');
    claim(elements.length >= 1 && elements.length <= 25, `${path} has ${elements.length} elements`);
    const ids = elements.map((element) => stringAt(element, 'action_id'));
    claim(new Set(ids).size === ids.length, `${path} has an action id twice`);
    for (const element of elements) {
      pressProblems(element, path, claim);
    }
  } else if (type === 'context_actions') {
    const elements = listAt(block, 'elements');
    claim(elements.length >= 1 && elements.length <= 5, `${path} has ${elements.length} elements`);
    for (const element of elements) {
      claim(stringAt(element, 'type') === 'feedback_buttons', `${path} has an element of another kind`);
      for (const button of [objectAt(element, 'positive_button'), objectAt(element, 'negative_button')]) {
        claim('text' in button && isText(button.text, 75), `${path} has a button's text too long`);
        const value = stringAt(button, 'value');
        claim(value !== '' && value.length <= 2000, `${path} has a button's value too long`);
        claim(stringAt(button, 'accessibility_label').length <= 75, `${path} has a label too long`);
      }
    }
  } else if (type === 'container') {
    const children = listAt(block, 'child_blocks');
    claim(isText(objectAt(block, 'title'), 150), `${path}.title`);
    claim(children.length >= 1 && children.length <= 10, `${path} has ${children.length} children`);
    for (const [index, child] of children.entries()) {
      claim(MAY_BE_FOLDED.has(stringAt(child, 'type')), `${path}[${index}] may not stand in a container`);
      blockProblems(child, `${path}[${index}]`, claim);
    }
  } else if (type === 'plan') {
    const tasks = listAt(block, 'tasks');
    const ids = tasks.map((task) => stringAt(task, 'task_id'));
    claim(stringAt(block, 'title').trim() !== '', `${path} has no title`);
    claim(tasks.length >= 1 && tasks.length <= 50, `${path} has ${tasks.length} tasks`);
    claim(new Set(ids).size === ids.length, `${path} has a task id twice`);
    for (const task of tasks)
      claim(stringAt(task, 'title').trim() !== '', `${path} has a task without a title`);
  } else if (type === 'data_visualization') {
    chartProblems(block, path, claim);
  } else {
    claim(type === 'divider', `${path} is of the unknown type ${type}`);
  }
}

const MAY_BE_FOLDED = new Set([
  'actions',
  'context',
  'divider',
  'file',
  'header',
  'image',
  'input',
  'rich_text',
  'section',
  'table',
  'video',
]);

function chartProblems(block: object, path: Path, claim: (holds: boolean, problem: string) => void): void {
  const isLabel = (text: string, max: number) => text.trim() !== '' && text.length <= max;
  const chart = objectAt(block, 'chart');
  const axes = objectAt(chart, 'axis_config');
  const categories = stringsAt(axes, 'categories');
  const series = listAt(chart, 'series');
  const names = series.map((one) => stringAt(one, 'name'));
  claim(isLabel(stringAt(block, 'title'), 50), `${path} has a title too long, or none`);
  claim(
    stringAt(axes, 'x_label').length <= 50 && stringAt(axes, 'y_label').length <= 50,
    `${path} has an axis`,
  );
  claim(categories.length >= 1 && categories.length <= 20, `${path} has ${categories.length} categories`);
  claim(
    categories.every((one) => isLabel(one, 20)),
    `${path} has a category too long`,
  );
  claim(new Set(categories).size === categories.length, `${path} has a category twice`);
  claim(series.length >= 1 && series.length <= 12, `${path} has ${series.length} series`);
  claim(
    names.every((name) => isLabel(name, 20)),
    `${path} has a name too long, or none`,
  );
  claim(new Set(names).size === names.length, `${path} has a name twice`);
  for (const one of series) {
    const data = listAt(one, 'data');
    const labels = data.map((point) => stringAt(point, 'label'));
    claim(labels.join() === categories.join(), `${path} has a series without each category`);
    claim(
      data.every((point) => 'value' in point && Number.isFinite(point.value)),
      `${path} has a value that is none`,
    );
  }
}

function pressProblems(element: object, path: Path, claim: (holds: boolean, problem: string) => void): void {
  const type = stringAt(element, 'type');
  claim(stringAt(element, 'action_id').length <= 255, `${path} has an action id too long`);
  if (type === 'overflow') menuProblems(element, 5, path, claim);
  else if (type === 'static_select') {
    menuProblems(element, 100, path, claim);
    claim(isText(objectAt(element, 'placeholder'), 150), `${path} has a placeholder too long`);
  } else {
    claim(type === 'button', `${path} has an element of another kind: ${type}`);
    claim('text' in element && isText(element.text, 75), `${path} has a button's text too long`);
    claim(stringAt(element, 'value').length <= 2000, `${path} has a button's value too long`);
  }
}

function menuProblems(
  menu: object,
  most: number,
  path: Path,
  claim: (holds: boolean, problem: string) => void,
): void {
  const options = listAt(menu, 'options');
  claim(options.length >= 1 && options.length <= most, `${path} has a menu of ${options.length} options`);
  for (const option of options) {
    claim('text' in option && isText(option.text, 75), `${path} has an option's text too long`);
    const value = stringAt(option, 'value');
    claim(value !== '' && value.length <= 75, `${path} has an option's value too long`);
  }
}

/** What Slack counts: text as it stores it, with `&`, `<` and `>` as entities; types and ids are not text. */
function counted(path: Path, text: string): number {
  if (/\.(type|action_id|style|width|status|task_id)$/u.test(path)) return 0;
  return path.includes('mrkdwn:')
    ? text.length
    : text.replace(/&/gu, '&amp;').replace(/[<>]/gu, '&lt;').length;
}

function isText(value: unknown, max: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const text = stringAt(value, 'text');
  return /^(mrkdwn|plain_text)$/u.test(stringAt(value, 'type')) && text.trim() !== '' && text.length <= max;
}

/** Every string in a value with its path; the path of a text object names its type, e.g. `[0].text.mrkdwn:text`. */
export function allStrings(value: unknown, path: Path = ''): [Path, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => allStrings(item, `${path}[${index}]`));
  const type = stringAt(value, 'type');
  return Object.entries(value).flatMap(([key, item]) =>
    allStrings(item, key === 'text' ? `${path}.${type}:${key}` : `${path}.${key}`),
  );
}

function stringAt(value: object, key: string): string {
  const found: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  return typeof found === 'string' ? found : '';
}

function objectAt(value: object, key: string): object {
  const found: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  return typeof found === 'object' && found !== null ? found : {};
}

function stringsAt(value: object, key: string): string[] {
  const found: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  return Array.isArray(found) ? found.filter((item) => typeof item === 'string') : [];
}

function listAt(value: object, key: string): object[] {
  const found: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  return Array.isArray(found) ? found.filter((item) => typeof item === 'object' && item !== null) : [];
}
