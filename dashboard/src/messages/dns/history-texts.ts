// Texts of the history of a domain's DNS records, and of the way back.
export const dnsHistoryTexts = {
  none: 'No changes yet',
  noneText: 'Every change to the records appears here for a year, and can be undone.',
  list: 'Changes to the records',
  makers: { you: 'You', service: 'The service' },
  byKey: (name: string | null) => (name ? `The key “${name}”` : 'An API key'),
  byApp: (name: string | null) => (name ? `The app “${name}”` : 'An app'),
  changed: (sets: number) => (sets === 1 ? 'changed 1 entry' : `changed ${sets} entries`),
  undid: 'undid a change',
  more: 'Show older changes',
  undo: 'Undo',
  undoOf: (moment: string) => `Undo the change of ${moment}`,
  undoTitle: 'Undo this change?',
  undoText: 'Records that it removed come back, and records that it added are deleted.',
  nothingLeft: 'Nothing is left to undo.',
  conflicts: 'These stay as they are',
  reasons: {
    changed_since: (set: string) => `${set} was changed again since.`,
    needs_prune: (set: string) => `${set} conflicts with a record that the change added.`,
  },
} as const
