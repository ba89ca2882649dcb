export async function echo(payload: string): Promise<string> {
  return payload;
}
