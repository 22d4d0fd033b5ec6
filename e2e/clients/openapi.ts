import createClient from "openapi-fetch";
import type { components, paths } from "../gen/openapi.js";

/** The status of every error. */
export type Status = components["schemas"]["google.rpc.Status"];

/** The JSON API, by the types that openapi-typescript generates from the OpenAPI document. */
export function openapiClient(baseUrl: string, token: string) {
  const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  return {
    /** Sends only required members. */
    async createIdp(name: string): Promise<string> {
      const { data, error } = await api.POST("/v1/idps", { body: { name } });
      if (error) {
        throw new Error(error.message);
      }
      return data.idpId;
    },

    async replaceIdp(idpId: string, name: string, autoRegister?: boolean): Promise<void> {
      const params = { path: { idpId } };
      const body = { name, autoRegister, stylingType: "STYLING_TYPE_PROVIDER" } as const;
      const { error } = await api.PUT("/v1/idps/{idpId}", { params, body });
      if (error) {
        throw new Error(error.message);
      }
    },

    async getIdp(idpId: string) {
      const { data, error } = await api.GET("/v1/idps/{idpId}", { params: { path: { idpId } } });
      if (error) {
        throw new Error(error.message);
      }
      return data.idp;
    },

    /** Sends no body, because the request has no required member. */
    async createToken(userId: string): Promise<string> {
      const params = { path: { userId } };
      const { data, error } = await api.POST("/v1/users/{userId}/tokens", { params });
      if (error) {
        throw new Error(error.message);
      }
      return data.token;
    },

    async refusalOfIdp(name: string): Promise<Status | undefined> {
      return (await api.POST("/v1/idps", { body: { name } })).error;
    },
  };
}
