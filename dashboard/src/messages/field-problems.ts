// Messages of invalid fields for people, of those that the API gives to programs.
type Problem = { msg: string; type: string }

export function fieldProblem({ msg, type }: Problem): string {
  if (type === 'missing' || /at least 1 char/.test(msg)) return 'Please fill this in.'
  const sentence = msg.replace(/^(String|Input|Value|List) (should|is)\b/, 'This $2')
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}
