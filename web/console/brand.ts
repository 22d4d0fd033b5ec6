/** The brand of an organization or of the instance: a form of all its fields, whether one was set or not. */

import { create } from "@bufbuild/protobuf";
import { html, type TemplateResult } from "lit";
import {
  type Brand,
  BrandSchema,
  BrandService,
  SetBrandRequestSchema,
  SetInstanceBrandRequestSchema,
} from "../gen/console/keystead/org/v1/brand_service_pb";
import { reasonOf } from "../shared/refusals";
import { change, client, read } from "./api";
import { form, type Values } from "./form";
import { section } from "./parts";
import { rebrand } from "./rebrand";
import { messageOf, valuesOf } from "./values";
import { Loaded, View } from "./view";
import { t } from "./view_words";

const brands = client(BrandService);

const FIELDS = ["name", "logo", "color", "supportAddress"];

/** The element `<keystead-brand>`; set `orgId` once. Empty: the brand of the instance. */
class BrandForm extends View {
  orgId = "";
  readonly #brand = new Loaded(this, () => this.#read());

  /** The brand; `null` without one. */
  async #read(): Promise<Brand | null> {
    try {
      const { orgId } = this;
      const { brand } = await (orgId
        ? read((options) => brands.getBrand({ orgId }, options))
        : read((options) => brands.getInstanceBrand({}, options)));
      return brand!;
    } catch (error) {
      if (reasonOf(error) === "BRAND_NOT_FOUND") return null;
      throw error;
    }
  }

  async #set(values: Values, sequence?: bigint): Promise<void> {
    const { orgId } = this;
    await change<unknown>(
      (options) =>
        orgId
          ? brands.setBrand(messageOf(SetBrandRequestSchema, { ...values, orgId }), options)
          : brands.setInstanceBrand(messageOf(SetInstanceBrandRequestSchema, values), options),
      sequence,
    );
    await rebrand();
  }

  protected override render(): TemplateResult {
    const request = this.orgId ? "SetBrandRequest" : "SetInstanceBrandRequest";
    // Without a brand, its fields are empty, and there is no version.
    const state = (found: Brand | null) => ({
      values: valuesOf(BrandSchema, found ?? create(BrandSchema)),
      sequence: found?.details?.sequence,
    });
    return section(
      t(this.orgId ? "brand" : "brand.instance"),
      this.#brand.render((brand) =>
        form({
          request,
          fields: FIELDS,
          ...state(brand),
          submit: t("save"),
          current: async () => state(await this.#read()),
          save: (values, _changed, sequence) => this.#set(values, sequence),
        }),
      ),
      { lead: t(this.orgId ? "brand.lead" : "brand.instanceLead") },
    );
  }
}

customElements.define("keystead-brand", BrandForm);

export function brandForm(orgId: string): TemplateResult {
  return html`<keystead-brand .orgId=${orgId}></keystead-brand>`;
}
