// What the workspace does besides its methods, for `docs/local-workspace.md`: each sentence is the title of a test, so
// none stands there without one. What it leaves out is said beside it.

/** One part of the workspace. */
interface Part {
  name: string;
  /** Titles of tests, by their file in this folder. */
  checked: Readonly<Record<string, readonly string[]>>;
  /** What Slack does there and the workspace does not. */
  unchecked: readonly string[];
}

export const PARTS: readonly Part[] = [
  {
    name: 'The manifest',
    checked: {
      'manifest.test.ts': [
        'of the app’s own manifest there are just the commands and shortcuts that it declares',
        'where the manifest switches interactivity off, no button and no shortcut reaches the app',
        'every method of the Web API that the program calls is there',
      ],
    },
    unchecked: [
      'whether Slack would take the manifest',
      '`should_escape: true`: mentions in the text of a command stay as they were typed',
    ],
  },
  {
    name: 'Tokens, scopes and rates',
    checked: {
      'web-api.test.ts': [
        'each wrong token has its own refusal',
        'what the workspace lacks is unknown_method',
        'a scope that the manifest lacks is named',
        'JSON, urlencoded and multipart bodies are one to a method',
        'one post a second and channel, after a small burst; another channel is not held up',
        'a method has its calls a minute',
      ],
      'membership.test.ts': [
        'a token that is refused is refused for every call, and its end is told',
        'a scope that is not granted any more is missing until it is granted again',
        'a private channel says that it is one, and only to who is in it',
        'a private channel needs the scopes of private channels',
        'nobody writes in an archived channel any more',
      ],
      'history.test.ts': ['%s may be called fifty times a minute'],
    },
    unchecked: [
      'tokens of people, and more than one workspace or app',
      'the installation itself (OAuth), and the rotation of tokens',
      'the 30,000 events an hour after which Slack sends `app_rate_limited`',
    ],
  },
  {
    name: 'Messages and threads',
    checked: {
      'messages.test.ts': [
        'metadata is kept, and given back only where it is asked for',
        'history gives the top level, newest first, page after page',
        'a thread is paged with its root first',
        'a reply names its thread by any of its messages, and its parent’s author',
        'a reply to a deleted message lands at the top level; to one that never was, it is refused',
        'a deleted root with replies leaves a tombstone',
        'an edit keeps blocks only where neither blocks nor a text come',
        'only its own messages may be changed or deleted, and only where it is a member may it post',
        'a posted text is cut at 40,000 characters, an edited one may have 4,000 bytes',
        'an ephemeral message is seen by one person and is in no history',
        'a permalink leads to the page, with the thread of a reply',
      ],
      'history.test.ts': [
        'what came since a moment is read page after page, and nothing of it twice or never',
        'a page that is exactly full is the last one where nothing is left',
        'a thread’s replies since a moment come with its root, oldest first, page after page',
        'a reply that is broadcast stands in its thread and at the top level, with its root',
      ],
    },
    unchecked: ['previews of links, pins, bookmarks, scheduled messages, search', 'group conversations'],
  },
  {
    name: 'Incoming webhooks',
    checked: {
      'incoming-webhooks.test.ts': [
        'each channel has an address of its own, which the panel shows; conversations of two have none',
        'a webhook posts text, blocks and attachments, and is answered ok as text',
        'a webhook takes JSON as it is, and in the field payload of a form',
        'a webhook is refused in Slack’s words, as text',
        'a webhook of an archived channel, or of one in which few may post, is refused',
        'a webhook is answered at the page’s address, too',
      ],
    },
    unchecked: [
      'the webhooks of apps, whose author is the app: here the author is `username`, or `incoming-webhook`',
      '`channel`, which no webhook of today obeys, and `response_type`, `unfurl_links` and `metadata`',
      'the rate of one message a second',
    ],
  },
  {
    name: 'Blocks and views',
    checked: {
      'validate.test.ts': [
        'blocks within the limits pass',
        'blocks beyond them are named with their place',
        'fifty blocks pass, fifty-one do not',
        'a block_id is had once',
        'markdown blocks share their 12,000, a message holds one table',
        'a message’s blocks count 13,200 characters at most, a header a hundred more than its text',
        'entities and the headings of Markdown count too',
        'blocks that are no list have another error',
        'attachments are a hundred at most, and their blocks are held to the limits',
        'a client gets every fault twice: bare, and marked in the metadata',
      ],
      'newer-blocks.test.ts': [
        'the newer blocks within their limits pass',
        'the newer blocks beyond them are named with their place',
        'a message holds two charts',
      ],
      'views.test.ts': ['a modal’s limits are enforced'],
      'home.test.ts': ['a Home’s limits are those of a modal, without its frame'],
      'blocks-validate.test.ts': [
        'blocks, a message or a view that Slack would take are fine, and nothing is posted',
        'each fault has a pointer into what was sent, a code, a sentence, and what was expected',
        'exactly one of blocks, message and view is checked',
      ],
    },
    unchecked: [
      '`video` and `file` blocks, `file_input`, `rich_text_input` and `workflow_button`: refused as unsupported',
      '`multi_channels_select` and `multi_conversations_select`: refused as unsupported',
      'which blocks may stand in a message, a modal or a Home, beside what is said above',
      'whether a picture’s `image_url` can be loaded',
      'the words of Slack’s refusals: codes and places are Slack’s, some of the sentences are ours',
    ],
  },
  {
    name: 'Events',
    checked: {
      'event-kinds.test.ts': [
        'every event that the workspace claims to have is told, and no other',
        'the workspace has every event that the app’s own manifest asks for',
        'an event is told only with its scope, however the manifest subscribes to it',
      ],
      'events.test.ts': [
        'the app hears its own posts, edits and deletions, as Slack shapes them',
        'a person’s message bears what a client sends: rich text and an id; a reply names its parent',
        'the app hears nothing of channels it is not in, and of what its manifest does not ask for',
        'reactions are told with what they are on',
      ],
      'revisions.test.ts': [
        'a webhook’s message is changed with what it was before, and by nobody in particular',
        'a person’s edit bears their name and new rich text; another app’s its user',
        'the preview of a link is a change that nobody made',
        'a deleted message is told with what it was; a root with replies leaves a tombstone',
      ],
    },
    unchecked: [
      'every other event of Slack’s',
      'events of metadata (`message_metadata_posted` and the like)',
    ],
  },
  {
    name: 'Deliveries',
    checked: {
      'deliver.test.ts': [
        'an event that is not acknowledged comes again at once, after a minute, after five, and is lost then',
        'an event that is acknowledged comes once',
        'what happens while nobody is connected survives a restart and comes with a retry',
        'a command that is not acknowledged within 3 seconds tells the person so, and does not come again',
      ],
      'http-delivery.test.ts': [
        'events, commands and clicks reach a Bolt app over signed HTTP',
        'shortcuts, modals and their submissions go over signed HTTP too',
        'every delivery is signed over its own body',
        'a refused delivery comes again with its number and reason, until the app says not to',
        'an address that does not give the challenge back gets no events',
      ],
    },
    unchecked: [
      'that Slack stops sending to an app which fails most deliveries for an hour',
      'addresses of their own for commands, interactions and suggestions: one takes all',
      'redirects, which Slack follows up to twice',
    ],
  },
  {
    name: 'Socket Mode',
    checked: {
      'deliver.test.ts': [
        'a ticket opens one connection, and the greeting says which app it is',
        'an eleventh connection is turned away, and events go to one of the ten',
        'a connection that is warned of its end gets nothing more once another is open',
      ],
      'bolt.deep.test.ts': ['after a disconnect the app comes back by itself and goes on hearing'],
    },
    unchecked: [
      'a refresh by itself after some hours: it comes when the panel or a test asks for it',
      'debugging (`debug_reconnects`)',
    ],
  },
  {
    name: 'Interactions',
    checked: {
      'bolt.test.ts': [
        'a command is answered with its acknowledgement, for the person alone',
        'a click reaches the app, which changes the message through the response_url',
      ],
      'shortcuts.test.ts': [
        'a message’s shortcut brings the message, also from a channel that the app is not in',
        'a global shortcut brings a trigger that opens a modal',
        'what cannot be is said in a sentence',
      ],
      'response-url.test.ts': [
        'a response_url takes five answers, for the person alone unless told otherwise',
        'after half an hour it takes none',
        'the answer to a click replaces or removes even what one person alone sees',
      ],
      'message-elements.test.ts': [
        'boxes, radio buttons and lists on a message answer, and say what else the person holds',
        'what a person holds stays over an update, unless the block has a new id',
      ],
      'suggestions.test.ts': [
        'the options of a list come from the app, for what is typed, and can be chosen',
        'the app is asked only for enough characters: three, unless the list says otherwise',
        'on a message the payload names it; an answer without options, or none in time, is said',
      ],
      'views.test.ts': [
        'a command opens a modal; it stays open while the app finds errors, and closes then',
        'a trigger opens one modal, and none after 3 seconds',
      ],
      'modal-forms.test.ts': [
        'a submission holds every input’s present value, the untouched ones’ first value included',
        'Slack itself looks at a field before the app does: %s',
        'the app’s errors stand at their inputs, and the modal stays',
        'a button, a choice and a text that dispatches bring the modal with all that was put in',
      ],
      'modal-stack.test.ts': [
        'a modal is changed by its id or its own name, unless it has changed meanwhile',
        'what a person has put in stays through a change where block and action are the same',
        'three modals lie on each other, a fourth is refused; each closes back to the one below',
        'a submission is answered with another modal, on top or instead, or with the end of all',
        'closing is told where the modal asks for it, and may clear the stack',
      ],
      'home.test.ts': [
        'a Home is published anew over the one it was made from, and over no other',
        'a button on a Home opens a modal, and what is ticked there is kept',
        'an app without a Home has none to open',
      ],
    },
    unchecked: [
      '`response_urls` of a submission (`response_url_enabled`)',
      'the filters of `conversations_select`',
      'functions and workflows',
    ],
  },
  {
    name: 'Files',
    checked: {
      'files.test.ts': [
        'uploadV2 puts a file into a thread a moment later, and the app hears of it',
        'what a file is shows only after a while',
        'the bytes of a file decide what it is, not its name',
        'a file comes as raw bytes or in a form, once, and as long as announced',
        'a deleted file leaves a tombstone, or takes a message that held nothing else with it',
        'files need their scopes, and their private addresses the token',
      ],
      'slack-files.test.ts': [
        'a picture can be shown by its id or its addresses, once Slack knows what it is',
        'what is no picture, no file, or another’s address is refused, with its place',
      ],
    },
    unchecked: ['thumbnails, public addresses, files of other services'],
  },
  {
    name: 'Work Objects',
    checked: {
      'work-objects.test.ts': [
        'a Work Object within the documented shape passes, of any type',
        'a message bears Work Objects beside other metadata; an edit replaces them, a faulty one changes nothing',
        'opening a Work Object asks the app for its details, which that person alone is shown',
        'instead of details the app may give an error or have the person sign in, within three seconds',
        'an app that does not subscribe to the event is not asked: the flexpane shows what the card does',
        'buttons of the card and of the flexpane reach the app with the Work Object that they are of',
        'what a person does not see, or is not there, can be neither opened nor pressed',
      ],
    },
    unchecked: [
      '*Work Object Previews*, which Slack wants switched on in the settings of the app',
      'Work Objects of links (`link_shared`, `chat.unfurl`), and their refresh',
      'fields of other types than `incident`, and those that can be edited',
      'what a flexpane was asked for within the last ten minutes, which Slack does not ask for again',
      'whether Slack takes `metadata.entities` in `chat.update`: its documents name them for `chat.postMessage` only',
      'the codes with which Slack refuses faulty ones in a message, and further fields of a press in the flexpane',
    ],
  },
  {
    name: 'Streams and the pane',
    checked: {
      'streams.test.ts': [
        'Slack’s own client streams an answer, and ends it with blocks and metadata',
        'the app hears of a stream when it begins and when it ends',
        'an open stream can be neither edited nor deleted; an ended one can',
        'a stream ends five minutes after it began, however often it grew; its text stays and can be edited',
        'in a channel one person sees it grow, and the others what it began with',
        'a person who is answered can stop it; the app learns it by its next call',
        'a stream that began with nothing takes text or chunks, and then only that',
      ],
      'assistant.test.ts': [
        'opening the pane makes a thread with a hidden root, of which the app hears',
        'prompts stay until the person writes; the app’s own words leave them',
        'a status goes with an empty one, with the app’s next message, and after two minutes',
        'an app without a pane has no threads in it, but may say what it is doing',
      ],
    },
    unchecked: ['that loading messages take turns'],
  },
  {
    name: 'Agents: the Messages tab and sessions',
    checked: {
      'agent.test.ts': [
        'a root message to an agent is an ordinary one, and comes with what its author looks at',
        'what people look at is told only to an app that subscribes to it',
        'who it is that looks elsewhere stands in the envelope',
        'an agent’s prompts stand on top of the Messages tab; with a thread nothing happens, and no error tells',
        'a session is processing until the app says otherwise, or for an hour',
        'a session outlives a restart of the workspace, and still falls back in its time',
        'without the event for the stop button Slack warns, and there is no button',
        'a stream begins a session; it ends as the app says, or active, also when its time is over',
        'anybody in the conversation can stop a session: its streams end, and the app hears of it',
        'people rename a session, and the app hears of it; the app’s own name for it is no event',
        'the old status works for an agent, too: processing until the next answer, or for two minutes',
        'an app that is no agent has no sessions',
      ],
    },
    unchecked: ['the `actions` of `agent_view`', 'session channels', 'several agents in one thread'],
  },
];
