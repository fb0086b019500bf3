// Messages of invalid fields for people, of those that the API gives to programs.
type Problem = { msg: string; type: string }

export const emailProblem = 'Enter an email address, such as ada@example.net.'

export function fieldProblem({ msg, type }: Problem): string {
  if (type === 'missing' || /must not be empty/.test(msg)) return 'Please fill this in.'
  if (/at least 3 char/.test(msg)) return 'Enter an email address.'
  if (/not a valid e-mail/.test(msg)) return emailProblem
  const sentence = msg.replace(/^(String|Input|Value|List) (should|is)\b/, 'This $2')
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}
