/** Lists all keys of a bucket below a prefix, page by page. */
import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';

export interface FoundKey {
  readonly key: string;
  readonly size: number;
  readonly changed: Date;
}

export async function* listKeys(
  client: S3Client,
  bucket: string,
  prefix: string,
): AsyncGenerator<FoundKey> {
  for (let next: string | undefined, isFirst = true; isFirst || next !== undefined; ) {
    isFirst = false;
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: next }),
    );
    for (const { Key = '', Size = 0, LastModified = new Date() } of page.Contents ?? [])
      yield { key: Key, size: Size, changed: LastModified };
    next = page.IsTruncated === true ? page.NextContinuationToken : undefined;
  }
}
