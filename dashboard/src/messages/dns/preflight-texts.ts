// Texts of the check before a change of name servers.
export const preflightTexts = {
  title: 'Before you change them',
  text: 'We have just asked the current and the new name servers. Nothing has changed yet.',
  stops: 'This would stop working or change',
  unknown: 'This is unknown',
  notCompared:
    'They could not be compared: too many name servers were asked for you in the last hour.',
  servers: 'The new name servers',
  states: {
    serves: 'serves the domain',
    not_serving: 'does not serve the domain',
    unknown: 'could not be asked',
  },
  change: 'Change anyway',
  wait: 'Change once they answer',
  waits: (domain: string) => `${domain} gets them once they serve its records`,
  waiting: 'A change waits for the new name servers',
  waitingText: (hosts: string, day: string) =>
    `${hosts} are set once they serve all records that were found. The change is given up on ` +
    `${day}.`,
  cancel: 'Cancel the change',
  canceled: (domain: string) => `${domain} keeps its current name servers`,
}
