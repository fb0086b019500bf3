// Texts of the dialog that finds the records of a domain at its present name servers.
import { recordTexts } from './record-texts.ts'

const { count } = recordTexts

export const scanTexts = {
  open: 'Find its present records',
  title: 'Records at the present name servers',
  stepsLabel: 'Steps',
  steps: ['Find', 'Compare', 'Take over'],
  current: 'current step',
  done: 'done',
  text:
    'The name servers that the domain has now are asked for usual names of sites and mail. That ' +
    'takes up to a minute, and changes nothing.',
  start: 'Find the records',
  asking: 'The name servers are being asked. This takes up to a minute.',
  found: (sets: number) => (sets === 0 ? 'No records were found' : `${count(sets)} found`),
  incomplete: 'Not every question was answered, so records may be missing.',
  same: 'All of them are here already.',
  differs: 'What changes here',
  leftOut: 'Not taken over',
  differences: 'The name servers do not agree',
  differencesText: 'The newest version is taken over. Each answered:',
  noAnswer: 'nothing',
  notSeen: 'Keep in mind',
  again: 'Find again',
  take: (sets: number) => `Take over ${count(sets)}`,
  taken: (sets: number) => `${count(sets)} taken over`,
  takenText:
    'They are kept here, and served once the name servers of this service are set. Before that, ' +
    'compare them with the list at your present provider.',
  nameservers: 'Go to the name servers',
  close: 'Close',
  early:
    'The records can be taken over once the domain is here. Until then, save them as a file: ' +
    '“Paste records” reads it.',
  save: 'Save as a file',
  tooLong: 'There are too many records for this page. Use the command line or the API.',
  servers: {
    answers: 'answers',
    lame: 'does not serve the domain',
    silent: 'does not answer',
    not_public: 'has no public address',
    none: 'has no address',
  },
  whole: 'gave a copy of the whole zone',
} as const
