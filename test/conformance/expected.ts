// Expected results of the conformance suite: the scenarios that pass, and for each other one the
// reason why it cannot, with exactly the checks that do not succeed.
import type { Expected, Revision } from './suite.ts'

/** Scenarios whose only check has their own name. */
function itself(...names: string[]): Record<string, string[]> {
  return Object.fromEntries(names.map((name) => [name, [name]]))
}

// Scenarios of the later revision that 2025-06-18 does not have.
const since2025_11_25 = [
  'dns-rebinding-protection',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'json-schema-2020-12',
  'server-sse-multiple-streams',
  'server-sse-polling',
]

function asOf2025_06_18({ passing, differing }: Expected): Expected {
  const isThere = (name: string) => !since2025_11_25.includes(name)
  return {
    passing: passing.filter(isThere),
    differing: differing.map(({ because, scenarios }) => ({
      because,
      scenarios: Object.fromEntries(Object.entries(scenarios).filter(([name]) => isThere(name))),
    })),
  }
}

const noSessions = 'there are no sessions, so no stream to resume and nothing to end'
const noQuestions =
  'without a session the server cannot ask the client; 2026-07-28 asks in its answer instead'
const noHeaderArguments = 'no tool asks for one of its arguments as a header field, too'
const theirTools = "it calls a tool of the suite's own; the fixtures have it"

const argumentsInHeaders = {
  'http-custom-header-server-validation': [
    'sep-2243-server-decode-base64',
    'sep-2243-server-no-xmcp-tool',
    'sep-2243-server-reject-invalid-param-chars',
    'sep-2243-server-reject-param-mismatch',
    'sep-2243-server-validate-param-match',
  ],
}
const listsThatChange = [
  'sep-2575-server-sends-prompts-list-changed-on-subscription',
  'sep-2575-server-sends-tools-list-changed-on-subscription',
]

const contents = [
  'prompts-get-embedded-resource',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-with-image',
  'resources-read-binary',
  'resources-read-text',
  'resources-templates-read',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-error',
  'tools-call-image',
  'tools-call-mixed-content',
  'tools-call-simple-text',
  'tools-call-with-progress',
]
const questions = {
  ...itself('tools-call-elicitation', 'tools-call-sampling'),
  'elicitation-sep1034-defaults': ['elicitation-sep1034-general'],
  'elicitation-sep1330-enums': ['elicitation-sep1330-general'],
}

const serviceLegacy: Expected = {
  passing: [
    'dns-rebinding-protection',
    'ping',
    'prompts-list',
    'resources-list',
    'server-initialize',
    'tools-list',
  ],
  differing: [
    {
      because: theirTools,
      scenarios: {
        ...itself(...contents),
        'json-schema-2020-12': ['json-schema-2020-12-tool-found'],
      },
    },
    { because: noQuestions, scenarios: questions },
    {
      because: noSessions,
      scenarios: {
        'server-session-lifecycle': [],
        'server-sse-multiple-streams': ['server-sse-multiple-streams-session'],
        'server-sse-polling': ['server-sse-polling-session'],
      },
    },
    {
      because: 'the service sends no logs to clients',
      scenarios: itself('logging-set-level', 'tools-call-with-logging'),
    },
    {
      because: 'no resource changes while a client listens',
      scenarios: itself('resources-subscribe', 'resources-unsubscribe'),
    },
    {
      because: 'no argument of a prompt has a list to complete from',
      scenarios: itself('completion-complete'),
    },
  ],
}

const serviceModern: Expected = {
  passing: [
    'caching',
    'dns-rebinding-protection',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
    'prompts-list',
    'resources-list',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'tools-list',
  ],
  differing: [
    {
      because: theirTools,
      scenarios: {
        ...itself(...contents),
        'json-schema-2020-12': ['json-schema-2020-12-tool-found'],
        'input-required-result-basic-elicitation': ['sep-2322-elicitation-incomplete'],
        'input-required-result-basic-list-roots': ['sep-2322-list-roots-incomplete'],
        'input-required-result-basic-sampling': ['sep-2322-sampling-incomplete'],
        'input-required-result-capability-check': ['sep-2322-respect-client-capabilities'],
        'input-required-result-ignore-extra-params': ['sep-2322-ignore-unexpected-params'],
        'input-required-result-missing-input-response': ['sep-2322-missing-response-rerequests'],
        'input-required-result-multi-round': ['sep-2322-multi-round-r1'],
        'input-required-result-multiple-input-requests': ['sep-2322-multiple-inputs-incomplete'],
        'input-required-result-non-tool-request': ['sep-2322-non-tool-incomplete'],
        'input-required-result-request-state': ['sep-2322-request-state-incomplete'],
        'input-required-result-result-type': ['sep-2322-result-type-included'],
        'input-required-result-tampered-state': ['sep-2322-reject-tampered-state'],
        'server-stateless': [
          ...listsThatChange,
          'sep-2575-http-server-no-independent-requests-on-stream',
          'sep-2575-missing-capability-http-400',
          'sep-2575-server-no-log-without-loglevel',
          'sep-2575-server-rejects-undeclared-capability',
        ],
      },
    },
    { because: noHeaderArguments, scenarios: argumentsInHeaders },
    {
      because: 'no argument of a prompt has a list to complete from',
      scenarios: itself('completion-complete'),
    },
  ],
}

/** The expectations for the service as it runs. */
export const ofService: Record<Revision, Expected> = {
  '2025-06-18': asOf2025_06_18(serviceLegacy),
  '2025-11-25': serviceLegacy,
  '2026-07-28': serviceModern,
}

const fixturesLegacy: Expected = {
  passing: [
    ...serviceLegacy.passing,
    ...contents,
    'completion-complete',
    'json-schema-2020-12',
    'logging-set-level',
    'resources-subscribe',
    'resources-unsubscribe',
    'tools-call-with-logging',
  ],
  differing: [
    { because: noQuestions, scenarios: questions },
    {
      because: noSessions,
      scenarios: {
        'server-session-lifecycle': [],
        'server-sse-multiple-streams': ['server-sse-multiple-streams-session'],
        'server-sse-polling': [
          'server-sse-polling-session',
          'server-sse-priming-event',
          'server-sse-retry-field',
        ],
      },
    },
  ],
}

const fixturesModern: Expected = {
  passing: [
    ...serviceModern.passing,
    ...contents,
    'completion-complete',
    'input-required-result-basic-elicitation',
    'input-required-result-basic-list-roots',
    'input-required-result-basic-sampling',
    'input-required-result-capability-check',
    'input-required-result-ignore-extra-params',
    'input-required-result-missing-input-response',
    'input-required-result-multi-round',
    'input-required-result-multiple-input-requests',
    'input-required-result-non-tool-request',
    'input-required-result-request-state',
    'input-required-result-result-type',
    'input-required-result-tampered-state',
    'json-schema-2020-12',
  ],
  differing: [
    {
      because: 'no list of tools or prompts changes while a client listens',
      scenarios: { 'server-stateless': listsThatChange },
    },
    { because: noHeaderArguments, scenarios: argumentsInHeaders },
  ],
}

/** The expectations for the same transport with the suite's own tools, resources and prompts. */
export const ofFixtures: Record<Revision, Expected> = {
  '2025-06-18': asOf2025_06_18(fixturesLegacy),
  '2025-11-25': fixturesLegacy,
  '2026-07-28': fixturesModern,
}

/** Scenarios of extensions that the service does not claim to have: tasks, and skills. */
export const ofExtensions = [
  'sep-2640-skills-directory',
  'sep-2640-skills-enumeration',
  'sep-2640-skills-manifest',
  'tasks-capability-negotiation',
  'tasks-dispatch-and-envelope',
  'tasks-lifecycle',
  'tasks-mrtr-composition',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-request-state-removal',
  'tasks-required-task-error',
  'tasks-status-notifications',
  'tasks-wire-fields',
]
